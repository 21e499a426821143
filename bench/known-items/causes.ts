import type { App } from '../../src/app/app.ts';
import { SearchParams } from '../../src/contract/search.ts';
import { pageId } from '../../src/store/page/page-id.ts';
import { isListing, isTextSource } from './listings.ts';
import type { Outcome } from './measure.ts';
import { kinds } from './questions.ts';

/** Why a right page is not among the first three, as far as the answer shows it; the first that applies. */
const causes = [
  'every right page is hidden as a copy',
  'no page has all words',
  'the right page lacks a word',
  'nothing is suggested',
  'another word is suggested',
  'a listing stands first',
  'a text source stands first',
  "another site's page stands first",
  'another page of the site stands first',
] as const;
type Cause = (typeof causes)[number];

/** Deep enough to tell what matches low down from what does not match. */
const depth = 100;

export function missed(outcomes: readonly Outcome[]): Outcome[] {
  return outcomes.filter(({ rank }) => rank === null || rank > 3);
}

export async function causeOf({ engine, store }: App, outcome: Outcome): Promise<Cause> {
  const { question, first, suggested, rank } = outcome;
  const right = [...question.right];
  if (right.every((url) => store.head(pageId(url))?.isHidden)) return 'every right page is hidden as a copy';
  if (question.kind === 'misspelt' && rank === null) {
    if (suggested === undefined) return 'nothing is suggested';
    if (suggested.toLowerCase() !== question.meant?.toLowerCase()) return 'another word is suggested';
  }
  if (first.length === 0) return 'no page has all words';
  if (rank === null) {
    const { total, results } = await engine.search(SearchParams.parse({ q: question.text, limit: depth }));
    const isLow = results.some(({ url }) => question.right.has(url));
    if (!isLow && total < depth) return 'the right page lacks a word';
  }
  const path = first[0] === undefined ? '' : new URL(first[0]).pathname.slice(1);
  if (isListing(path)) return 'a listing stands first';
  if (isTextSource(path)) return 'a text source stands first';
  const isOfSite = right.some((url) => new URL(url).host === new URL(first[0] ?? url).host);
  return isOfSite ? 'another page of the site stands first' : "another site's page stands first";
}

/** How many misses of each kind have each cause. */
export function causeTable(caused: readonly { readonly outcome: Outcome; readonly cause: Cause }[]): string {
  const count = (cause: Cause, kind?: string) =>
    caused.filter(
      (miss) => miss.cause === cause && (kind === undefined || miss.outcome.question.kind === kind),
    ).length;
  const rows = causes.map(
    (cause) => `| ${[cause, count(cause), ...kinds.map((kind) => count(cause, kind))].join(' | ')} |`,
  );
  return [
    `| not in the first three because | all | ${kinds.join(' | ')} |`,
    `|---|${'---|'.repeat(kinds.length + 1)}`,
    ...rows,
  ].join('\n');
}
