import type { Page, PageHead } from '../../page.ts';
import { type StoredBeginning, storedBeginningOf, wholePage } from '../../store/page/beginnings.ts';
import { encodeStructure, type TextStructure } from '../../text/structure/marks.ts';
import { type PerField, saturatedFrequency } from '../bm25f.ts';
import { impactOf } from '../impact-weights.ts';
import { countTerms } from '../page-terms.ts';
import { impactDelimiter, privateType } from './mapping.ts';

/** A page as it is sent to a cluster; `mapping.ts` has the types of its fields. */
export interface PageDocument {
  /** Every distinct exact term and stem with its impact, 1 to 255, as `term|impact`. */
  readonly terms: string;
  /** Those that the title has. */
  readonly title_terms: string;
  /** Every `site:` host that the page matches. */
  readonly hosts: readonly string[];
  /** Every `site:` path that it matches; the path is independent of the host. */
  readonly paths: readonly string[];
  /** The file type, and `privateType` with it for a page that was read with credentials. */
  readonly type: string | readonly string[];
  readonly lang: string;
  readonly copy: boolean;
  /** When it was crawled, epoch milliseconds. */
  readonly at: number;
  readonly id: string;
  /** `IndexedHead` as JSON. */
  readonly head: string;
  /** `IndexedText` as JSON: what a search reads of the page besides its head. */
  readonly text: string;
  /** The body, if `text` has only the beginning of it. */
  readonly whole?: string;
  /** `encodeStructure` of the body. */
  readonly structure?: string;
}

/** What a store knows of a page beside the page. */
export interface PageFacts {
  /** Whether its host has an llms.txt. */
  readonly hasLlmsTxt: boolean;
  /** The structure of its text; absent if it is not known. */
  readonly structure?: TextStructure | undefined;
}

/** The head of a page as a cluster keeps it. */
export interface IndexedHead extends PageHead {
  /** Whether the host has an llms.txt, as far as was known when the page was sent. */
  readonly hasLlmsTxt: boolean;
}

export type IndexedText = Pick<StoredBeginning, 'headings' | 'body' | 'bodyLength' | 'ending'>;

/** The document of a page. Its impacts are the bytes that a packed segment with these averages has. */
export function pageDocument(
  page: Page,
  averageLengths: PerField,
  facts: PageFacts = { hasLlmsTxt: false },
): PageDocument {
  const { lengths, frequencies } = countTerms(page);
  const sendable = [...frequencies].filter(([term]) => !unsendable.test(term));
  const { hostname, pathname } = new URL(page.url);
  return {
    terms: sendable
      .map(
        ([term, counts]) =>
          `${term}${impactDelimiter}${impactOf(saturatedFrequency(counts, lengths, averageLengths))}`,
      )
      .join(' '),
    title_terms: sendable.flatMap(([term, [inTitle]]) => (inTitle > 0 ? [term] : [])).join(' '),
    hosts: suffixesOf(hostname.replace(/\.$/, '')),
    paths: prefixesOf(pathname),
    type: page.isPrivate ? [page.fileType, privateType] : page.fileType,
    lang: page.lang,
    copy: page.copyOf !== undefined,
    at: page.crawledAt,
    id: page.id,
    ...storedParts(page, facts),
  };
}

function storedParts(
  page: Page,
  { hasLlmsTxt, structure }: PageFacts,
): Pick<PageDocument, 'head' | 'text' | 'whole' | 'structure'> {
  const { headings, body, structure: _, ...head } = page;
  const beginning = storedBeginningOf(page);
  const { bodyLength, ending } = beginning ?? wholePage(page);
  const text: IndexedText = { headings, body: beginning?.body ?? body, bodyLength, ending };
  return {
    head: JSON.stringify({ ...head, hasLlmsTxt } satisfies IndexedHead),
    text: JSON.stringify(text),
    ...(beginning && { whole: body }),
    ...(structure && { structure: encodeStructure(structure) }),
  };
}

/** A term with the delimiter or with white space would be read as another one, or refuse the whole page. */
const unsendable = /[|\s]/u;

function suffixesOf(host: string): string[] {
  const labels = host.split('.');
  return labels.map((_, index) => labels.slice(index).join('.'));
}

/** Every prefix of a path at a segment border: `/a/b/` has `/a`, `/a/b` and itself. */
function prefixesOf(path: string): string[] {
  const borders = [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index));
  return [...new Set([...borders, path])].filter((prefix) => prefix !== '');
}
