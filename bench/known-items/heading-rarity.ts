import type { SitePages } from './site-pages.ts';

/** How many pages of all sites have the rarest word of a text in their headings. */
export function headingRarity(all: readonly SitePages[]): (text: string) => number {
  const pagesOf = new Map<string, Set<string>>();
  for (const { site, headings } of all) {
    for (const [heading, pages] of headings) {
      for (const word of wordsOf(heading)) {
        const known = pagesOf.get(word) ?? new Set();
        for (const page of pages) known.add(`${site.name} ${page}`);
        pagesOf.set(word, known);
      }
    }
  }
  return (text) => Math.min(...wordsOf(text).map((word) => pagesOf.get(word)?.size ?? 0));
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
