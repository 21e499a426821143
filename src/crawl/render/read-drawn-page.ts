import type { Extraction, FetchedFile } from '../../extract/extract.ts';
import type { ExtractedPage } from '../../extract/extracted.ts';
import { createHostMisses } from '../host/host-misses.ts';
import type { FindTextTwin, TextTwin } from '../site/text-twin.ts';
import type { ScriptedPage } from './messages.ts';
import type { PageParts, PartsLater } from './page-parts.ts';
import type { Renderer } from './renderer.ts';

/** Where the text of a page that scripts draw was found, if anywhere. */
export type DrawnPage =
  /** Beside the page. `source` is for `extract --explain`, as for the next one. */
  | ({ readonly kind: 'twin' } & TextTwin)
  | { readonly kind: 'rendered'; readonly page: ExtractedPage; readonly source: string }
  | { readonly kind: 'moved'; readonly to: string }
  | PartsLater
  | { readonly kind: 'none' };

/** Reads a page that scripts draw: `drawn` is what it says without them. Rejects only with the signal's reason. */
export type ReadDrawnPage = (
  shell: ScriptedPage,
  drawn: ExtractedPage,
  signal?: AbortSignal,
) => Promise<DrawnPage>;

export interface ReadDrawnPageParts {
  readonly findTextTwin: FindTextTwin;
  /** Without it no page is drawn. */
  readonly renderer?: Pick<Renderer, 'draw'> | undefined;
  readonly partsOf: (pageUrl: string) => PageParts;
  readonly extract: (fetched: FetchedFile) => Extraction | Promise<Extraction>;
}

/** Less is a notice, such as "Loading…". */
const minDrawnText = 40;

const drawnByBrowser = 'the page as a browser drew it';

/**
 * Looks beside the page first, then draws it. After a few pages of a host without a text beside them they are drawn at
 * once, and after a few of which the browser makes nothing they are not drawn; either is tried again now and then.
 */
export function createReadDrawnPage(parts: ReadDrawnPageParts): ReadDrawnPage {
  const { findTextTwin, renderer, partsOf, extract } = parts;
  const blanks = createHostMisses();
  return async (shell, drawn, signal) => {
    const { url } = shell;
    const { host } = new URL(url);
    const twin = await findTextTwin(url, drawn, signal);
    if (twin !== undefined) return { kind: 'twin', ...twin };
    if (renderer === undefined || blanks.skips(host)) return { kind: 'none' };
    const rendering = await renderer.draw(shell, partsOf(url), signal);
    if (rendering.kind === 'unavailable') return { kind: 'none' };
    if (rendering.kind === 'moved' || rendering.kind === 'later') return rendering;
    const page = rendering.kind === 'html' ? await read(url, rendering.html) : undefined;
    blanks.note(host, page !== undefined);
    return page === undefined ? { kind: 'none' } : { kind: 'rendered', page, source: drawnByBrowser };
  };

  async function read(url: string, html: string): Promise<ExtractedPage | undefined> {
    const contentType = 'text/html; charset=utf-8';
    const extraction = await extract({ url, bytes: Buffer.from(html), contentType, isRendered: true });
    return extraction.kind === 'page' && extraction.page.body.length >= minDrawnText
      ? extraction.page
      : undefined;
  }
}
