import type { Page } from '../page.ts';
import { stemTerm } from '../text/stems.ts';
import { indexTerms } from '../text/terms.ts';
import type { PerField } from './bm25f.ts';

/** What a page is found and scored by. */
export interface PageTerms {
  /** How many exact terms each field has, repeats included; stems do not count. */
  readonly lengths: PerField;
  /** How often each term stands in each field; a stem as often as all words that share it. */
  readonly frequencies: ReadonlyMap<string, PerField>;
}

/**
 * The texts of a page that words are looked for in, in the order of `fields`. The site's name counts as part of the
 * address: both say where the page is, and neither is in its title.
 */
export function fieldTexts(page: Page): [title: string, headings: string, url: string, body: string] {
  const { host, pathname } = new URL(page.url);
  return [page.title, page.headings, `${host} ${pathname} ${page.siteName ?? ''}`, page.body];
}

/** Counts the terms of a page; every tier of the index finds and scores by these numbers. */
export function countTerms(page: Page): PageTerms {
  const frequencies = new Map<string, [number, number, number, number]>();
  const lengths = fieldTexts(page).map((text, field) => {
    const terms = indexTerms(text);
    for (const term of terms) {
      const counts = frequencies.get(term) ?? [0, 0, 0, 0];
      counts[field] = (counts[field] ?? 0) + 1;
      frequencies.set(term, counts);
    }
    return terms.length;
  });
  for (const [term, counts] of [...frequencies]) {
    const stem = stemTerm(term, page.lang);
    if (stem === null) continue;
    const sum = frequencies.get(stem) ?? [0, 0, 0, 0];
    frequencies.set(stem, sum.map((count, field) => count + (counts[field] ?? 0)) as typeof sum);
  }
  return { lengths: lengths as unknown as PerField, frequencies };
}
