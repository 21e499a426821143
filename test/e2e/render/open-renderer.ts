import { createRenderer, type RendererOptions } from '../../../src/crawl/render/renderer.ts';
import { openCrawler } from '../../crawl/rig.ts';

/** The crawler with a real browser, in its real process; `notices` has what the operator would be told. */
export function openDrawingCrawler(
  options: Partial<RendererOptions> = {},
  crawlerOptions: Omit<Parameters<typeof openCrawler>[0], 'renderer'> = {},
) {
  const notices: string[] = [];
  const crawler = openCrawler({
    ...crawlerOptions,
    renderer: createRenderer({
      path: process.env.PATH ?? '',
      onNotice: (message) => notices.push(message),
      ...options,
    }),
  });
  return { ...crawler, notices };
}
