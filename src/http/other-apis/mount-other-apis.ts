import type { Hono } from 'hono';
import type { EngineOf, HttpEnv } from '../http-env.ts';
import type { RouteHandler } from '../mount-route.ts';
import type { RateLimit } from '../rate-limit.ts';
import type { Origins } from '../security/cors.ts';
import { type AllowedHosts, mcpHostCheck } from '../security/host-check.ts';
import { originCheck } from '../security/origin-check.ts';
import { mountOpenWebUi, openWebUiPaths } from './open-webui.ts';
import { mountOpenSearch } from './opensearch.ts';
import { answerSearxng, asksForJson, limitSearxng, mountSearxng } from './searxng.ts';

export interface OtherApisParts {
  readonly engineOf: EngineOf;
  /** Origins of web pages that may send what a browser sends without asking, besides those of this machine. */
  readonly origins: Origins;
  readonly rateLimit?: RateLimit | undefined;
  readonly allowedHosts?: AllowedHosts | undefined;
  readonly searchPage: RouteHandler;
}

/** Mounts the forms of search that other programs speak already, over the same engine and the same limits. */
export function mountOtherApis(
  app: Hono<HttpEnv>,
  { origins, allowedHosts, ...parts }: OtherApisParts,
): void {
  mountSearxng(app, parts);
  // SearXNG answers under `/` as well, and some of its clients are given that address.
  const answerAtRoot = answerSearxng(parts.engineOf);
  app.use('/', limitSearxng(parts.rateLimit));
  app.get('/', (c, next) => (asksForJson(c) ? answerAtRoot(c) : next()));

  // A web page can send a POST to any host, and the loader makes this service visit pages.
  for (const path of Object.values(openWebUiPaths)) {
    if (allowedHosts) app.use(path, mcpHostCheck(allowedHosts));
    app.use(path, originCheck(origins));
  }
  mountOpenWebUi(app, parts);
  mountOpenSearch(app, { ...parts, allowedHosts });
}
