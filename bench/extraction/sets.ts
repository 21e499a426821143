import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const folder = new URL('../../../../shared/data/extraction/', import.meta.url);

/** Rules are tuned on the development half alone; nobody looks at pages of the other one, only at its figures. */
export const halves = ['development', 'held-out'] as const;
export type Half = (typeof halves)[number];

/** The half of a page, by the first byte of the SHA-256 of `set/id`: even is development. */
export function halfOf(set: string, id: string): Half {
  const first = createHash('sha256').update(`${set}/${id}`).digest()[0] as number;
  return first % 2 === 0 ? 'development' : 'held-out';
}

/** A page of ../shared/data/extraction and what people say is on it; absent fields were not judged. */
export interface JudgedPage {
  readonly id: string;
  readonly half: Half;
  readonly url: string;
  /** Gzipped raw bytes. */
  readonly file: string;
  readonly text?: string;
  readonly title?: string;
  readonly authors?: readonly string[];
  /** `YYYY-MM-DD`. */
  readonly date?: string;
  readonly lang?: string;
  readonly with: readonly string[];
  readonly without: readonly string[];
  readonly pageType?: string;
}

export const pageSetNames = ['wcxb-sample', 'trafilatura', 'newspaper4k', 'htmldate-mediacloud'] as const;
export type PageSetName = (typeof pageSetNames)[number];

/** Where a page has no address of its own; the parsers want one. */
const noAddress = 'https://page.invalid/';

/** The judged pages of a set; throws when the data is not there. */
export function loadPageSet(name: PageSetName): JudgedPage[] {
  const file = new URL(`${name}/truth.jsonl`, folder);
  if (!existsSync(file)) throw new Error(`the set ${name} is not in ../shared/data/extraction`);
  // Python wrote the file: it has NaN where JSON has null.
  const lines = readFileSync(file, 'utf8')
    .replace(/: NaN\b/g, ': null')
    .trim()
    .split('\n');
  return lines.map((line) => toPage(JSON.parse(line) as Record<string, unknown>, name));
}

/** The judged pages of some halves of all sets. */
export function* judgedPages(halves: readonly Half[]): Generator<readonly [key: string, page: JudgedPage]> {
  for (const set of pageSetNames) {
    for (const page of loadPageSet(set)) if (halves.includes(page.half)) yield [pageKey(set, page), page];
  }
}

export const pageKey = (set: PageSetName, page: JudgedPage): string => `${set}/${page.id}`;

/** The raw bytes of a page. */
export function pageBytes({ file }: JudgedPage): Uint8Array {
  return gunzipSync(readFileSync(file));
}

function toPage(truth: Record<string, unknown>, set: string): JudgedPage {
  const text = (key: string) => {
    const value = truth[key];
    return typeof value === 'string' && value.trim() !== '' ? value : undefined;
  };
  const list = (key: string) =>
    Array.isArray(truth[key]) ? (truth[key] as unknown[]).filter((item) => typeof item === 'string') : [];
  const author = text('author');
  const authors = author === undefined ? list('author') : [author];
  return {
    id: String(truth.id),
    half: halfOf(set, String(truth.id)),
    url: text('url') ?? noAddress,
    file: new URL(`${set}/${truth.html}`, folder).pathname,
    with: list('with'),
    without: list('without'),
    ...(text('text') && { text: text('text') as string }),
    ...(text('title') && { title: text('title') as string }),
    ...(authors.length > 0 && { authors }),
    ...(text('date') && { date: (text('date') as string).slice(0, 10) }),
    ...(text('lang') && { lang: text('lang') as string }),
    ...(text('page_type') && { pageType: text('page_type') as string }),
  };
}
