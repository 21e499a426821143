import type { Page } from '../page.ts';
import { stemTerm } from '../text/stems.ts';
import { indexTerms } from '../text/terms.ts';
import type { PerField } from './bm25f.ts';

/** The data of a page by which it matches and is scored. */
export interface PageTerms {
  /** The number of exact terms in each field, with repeats and without stems. */
  readonly lengths: PerField;
  /** The frequency of each term in each field; that of a stem is the sum over the words that share it. */
  readonly frequencies: ReadonlyMap<string, PerField>;
}

/**
 * The searchable texts of a page, in the order of `fields`. The site's name counts as part of the URL: both say where the
 * page is, and neither is in its title.
 */
export function fieldTexts(page: Page): [title: string, headings: string, url: string, body: string] {
  const { host, pathname } = new URL(page.url);
  return [page.title, page.headings, `${host} ${pathname} ${page.siteName ?? ''}`, page.body];
}

/** Counts the terms of a page. All tiers of the index match and score by these numbers. */
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
