import type { Page, PageHead } from '../../page.ts';
import type { PageBeginning } from '../page/beginnings.ts';
import type { Table } from '../page-store.ts';
import type { HostFacts } from './host-facts.ts';
import { edgesOf, hostOf, titleHash } from './host-pages.ts';

/** Applies the facts of hosts to pages that are read. */
export interface HostView {
  head(head: PageHead): PageHead;
  page(page: Page): Page;
  beginning(beginning: PageBeginning): PageBeginning;
}

/** `pageOf` reads a page as it was put; undefined where it is damaged. */
export function createHostView(
  facts: Pick<Table<HostFacts>, 'get'>,
  pageOf: (id: string) => Page | undefined,
): HostView {
  // A head that was stored without a checksum may have any text for a URL.
  const factsOf = ({ url }: PageHead): HostFacts | undefined =>
    URL.canParse(url) ? facts.get(hostOf(url)) : undefined;
  return {
    head: (head) => viewHead(head, factsOf(head), () => pageOf(head.id)),
    page: (page) => viewPage(page, factsOf(page)),
    beginning: (beginning) => viewBeginning(beginning, factsOf(beginning.page)),
  };
}

/** The texts of a page, which are read separately from its head. */
interface PageTexts {
  readonly headings: string;
  readonly body: string;
}

/**
 * A page's head with the facts of its host applied: if most pages of the host have its title, that is the site's name, and
 * the page gets one of its alternative titles. The front page keeps the name of the site as its title.
 */
function viewHead<Head extends PageHead>(
  head: Head,
  facts: HostFacts | undefined,
  texts: () => PageTexts | undefined,
): Head {
  if (!facts || facts.siteTitle === null || titleHash(head.title) !== facts.siteTitle) return head;
  if (new URL(head.url).pathname === '/') return head;
  const siteName = head.siteName ?? facts.siteName;
  // Pages of older versions have no alternative titles; their headings serve as well.
  const others = (head.otherTitles ?? texts()?.headings ?? '').split('\n');
  const title = others.find((text) => text !== '' && titleHash(text) !== facts.siteTitle);
  return { ...head, siteName, ...(title !== undefined && { title }) };
}

/** The page as `viewHead` shows its head, without the lines of the site's frame at either end of its text. */
function viewPage(page: Page, facts: HostFacts | undefined): Page {
  if (!facts) return page;
  return { ...viewHead<Page>(page, facts, () => page), body: withoutFrame(page, facts, 'both') };
}

/** The same for the beginning of a long page, which ends somewhere in its text. */
function viewBeginning(beginning: PageBeginning, facts: HostFacts | undefined): PageBeginning {
  if (!facts) return beginning;
  const { page, bodyLength } = beginning;
  const body = withoutFrame(page, facts, 'start');
  const head = viewHead<Page>(page, facts, () => page);
  return {
    ...beginning,
    page: { ...head, body },
    bodyLength: bodyLength - (page.body.length - body.length),
  };
}

/** A text without the lines of the frame; the whole text if it has no other lines. */
function withoutFrame({ body, headings }: PageTexts, { frame }: HostFacts, from: 'both' | 'start'): string {
  if (frame.length === 0) return body;
  const { first, last } = edgesOf(body, headings);
  let seen = body;
  for (const { start, end, hash } of [...first, ...(from === 'both' ? last : [])].toReversed())
    if (frame.includes(hash)) seen = seen.slice(0, start) + seen.slice(end + 1);
  const trimmed = seen.replace(/^\n+|\s+$/g, '');
  return seen === body || trimmed === '' ? body : trimmed;
}
