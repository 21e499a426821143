import { readFileSync } from 'node:fs';
import type { Hono } from 'hono';
import { searchPath } from '../../../contract/searxng.ts';
import { maxAgeSeconds, sendCacheable } from '../../cacheable-response.ts';
import type { HttpEnv } from '../../http-env.ts';
import { mountGet } from '../../mount-route.ts';
import { assetPaths } from './frame.ts';
import { icon, style } from './style.ts';

/** Results are of no use to crawlers of other search services, and cost a search each. */
const robots = `User-agent: *\nDisallow: ${searchPath}\nDisallow: /page/\nDisallow: /status\n`;

/** Mounts what the pages load besides themselves: one style, one script, one icon. */
export function mountAssets(app: Hono<HttpEnv>): void {
  const script = readFileSync(new URL('./browser-script.js', import.meta.url), 'utf8');
  const files = [
    [assetPaths.style, style, 'text/css; charset=UTF-8'],
    [assetPaths.script, script, 'text/javascript; charset=UTF-8'],
    [assetPaths.icon, icon, 'image/svg+xml'],
    ['/robots.txt', robots, 'text/plain; charset=UTF-8'],
  ] as const;
  for (const [path, body, type] of files)
    mountGet(app, path, (c) => sendCacheable(c, { body, type, maxAgeSeconds: maxAgeSeconds.documentation }));
}
