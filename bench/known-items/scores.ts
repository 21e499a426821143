import type { Outcome } from './measure.ts';
import { kinds } from './questions.ts';

const header = `| questions | site | asked | first | in 3 | in 10 | MRR@10 | no result |
|---|---|---|---|---|---|---|---|`;

/** Rows by kind over all sites, then by kind and site. */
export function scoreTable(outcomes: readonly Outcome[]): string {
  const rows = [header];
  for (const kind of kinds) {
    const ofKind = outcomes.filter(({ question }) => question.kind === kind);
    if (ofKind.length > 0) rows.push(row(`**${kind}**`, 'all', ofKind));
  }
  for (const kind of kinds) {
    if (kind === 'agent') continue;
    const ofKind = outcomes.filter(({ question }) => question.kind === kind);
    for (const site of new Set(ofKind.map(({ question }) => question.site))) {
      const ofSite = ofKind.filter(({ question }) => question.site === site);
      rows.push(row(kind, site, ofSite));
    }
  }
  return rows.join('\n');
}

/** Of the misspelt questions whose page was not found as they stood: how many got the right word, another, or none. */
export function suggestionLine(outcomes: readonly Outcome[]): string {
  const asked = outcomes.filter(({ question }) => question.kind === 'misspelt');
  const right = asked.filter(
    ({ suggested, question }) => suggested?.toLowerCase() === question.meant?.toLowerCase(),
  );
  const wrong = asked.filter(({ suggested }) => suggested !== undefined).length - right.length;
  const found = asked.filter(({ rank, suggested }) => rank !== null && suggested === undefined).length;
  const none = asked.length - right.length - wrong - found;
  return `Of ${asked.length} misspelt names ${found} were found as typed; for the others the right word was suggested ${right.length} times, another ${wrong} times, none ${none} times.`;
}

function row(kind: string, site: string, outcomes: readonly Outcome[]): string {
  const mean = (of: (outcome: Outcome) => number): number =>
    outcomes.reduce((sum, outcome) => sum + of(outcome), 0) / Math.max(1, outcomes.length);
  const within = (most: number) =>
    mean(({ rank }) => (rank !== null && rank <= most ? 1 : 0))
      .toFixed(3)
      .replace(/^0/, '');
  const mrr = mean(({ rank }) => (rank === null ? 0 : 1 / rank))
    .toFixed(3)
    .replace(/^0/, '');
  const empty = (100 * mean(({ isEmpty }) => (isEmpty ? 1 : 0))).toFixed(1);
  return `| ${kind} | ${site} | ${outcomes.length} | ${within(1)} | ${within(3)} | ${within(10)} | ${mrr} | ${empty} % |`;
}
