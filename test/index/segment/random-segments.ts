import fc from 'fast-check';
import type { PerField } from '../../../src/index/bm25f.ts';
import { buildSegment } from '../../../src/index/segment/build/builder.ts';
import { openSegment, type Segment } from '../../../src/index/segment/reader.ts';
import type { Page } from '../../../src/page.ts';
import { fileTypesOf } from '../../../src/query/file-types.ts';
import type { Query } from '../../../src/query/query.ts';
import { parseSite } from '../../../src/query/site.ts';
import { queryWords } from '../../../src/text/terms.ts';
import { examplePage } from '../../pages.ts';
import { randomPage, words } from '../random-index.ts';

/** One segment's pages, and which of them are dead. */
export interface Part {
  readonly pages: readonly Page[];
  readonly dead: ReadonlySet<string>;
}

const languages = ['en', 'zh', 'de', 'fr', 'und'];

/** Up to four segments; no page is in two of them. */
export const randomParts: fc.Arbitrary<Part[]> = fc
  .array(
    fc.record({
      page: randomPage,
      path: fc.nat(30),
      lang: fc.constantFrom(...languages),
      part: fc.nat(3),
      isDead: fc.nat(4).map((n) => n === 0),
    }),
    { maxLength: 40 },
  )
  .map((drawn) => {
    const parts = Array.from({ length: 4 }, () => ({ pages: [] as Page[], dead: new Set<string>() }));
    const seen = new Set<string>();
    for (const { page, path, lang, part, isDead } of drawn) {
      const { id: _, ...fields } = page;
      const moved = examplePage({ ...fields, url: `${page.url}${path > 5 ? `/${path}` : ''}`, lang });
      if (seen.has(moved.id)) continue;
      seen.add(moved.id);
      parts[part]?.pages.push(moved);
      if (isDead) parts[part]?.dead.add(moved.id);
    }
    return parts.filter(({ pages }, at) => pages.length > 0 || at === 0);
  });

const wordList = fc
  .record({
    text: fc
      .array(fc.constantFrom(...words, 'the', 'absent'), { maxLength: 3 })
      .map((list) => list.join(' ')),
    quoted: fc.boolean(),
    lang: fc.constantFrom(...languages),
    required: fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
  })
  .map(({ text, quoted, lang, required }) => ({
    text,
    quoted,
    words: queryWords(text, { quoted, lang }).map((word, at) => ({
      ...word,
      required: required[at] ?? true,
    })),
  }));

/** Trees that no text is read as, too: `not` and nothing at any place. */
export const randomTree: fc.Arbitrary<Query> = fc.letrec<{ tree: Query }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    wordList.map((words): Query => ({ kind: 'words', ...words })),
    wordList.map(({ text, words }): Query => ({ kind: 'title', text, words })),
    fc
      .constantFrom('example.com', 'docs.example.com/a/b', 'com', 'a.example', 'other.org/a', 'example.com/7')
      .map((value) => parseSite(value) as Query),
    fc
      .constantFrom('pdf', 'doc', 'exe')
      .map((value): Query => ({ kind: 'filetype', types: fileTypesOf(value) })),
    fc.array(tie('tree'), { maxLength: 3 }).map((of): Query => ({ kind: 'all', of })),
    fc.array(tie('tree'), { maxLength: 3 }).map((of): Query => ({ kind: 'any', of })),
    tie('tree').map((of): Query => ({ kind: 'not', of })),
  ),
})).tree;

export function packed(pages: readonly Page[], averageLengths: PerField): Segment {
  const opened = openSegment(buildSegment(pages, { averageLengths }).buffer);
  if (opened.kind === 'damaged') throw new Error(opened.why);
  return opened.segment;
}

/** The set of a part's dead pages by their numbers in its segment. */
export function deadSet(segment: Segment, dead: ReadonlySet<string>): Uint8Array {
  const set = new Uint8Array(Math.ceil(segment.pageCount / 8));
  for (let page = 0; page < segment.pageCount; page++) {
    if (dead.has(segment.idOf(page))) set[page >> 3] = (set[page >> 3] ?? 0) | (1 << (page & 7));
  }
  return set;
}
