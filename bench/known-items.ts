import { statSync } from 'node:fs';
import { openApp } from '../src/app/app.ts';
import { silentLog } from '../src/runtime.ts';
import { pageId } from '../src/store/page/page-id.ts';
import { agentQuestions } from './known-items/agent-questions.ts';
import { causeOf, causeTable, missed } from './known-items/causes.ts';
import { ask, type Outcome } from './known-items/measure.ts';
import { kinds, questionsOf, sampled } from './known-items/questions.ts';
import { scoreTable, suggestionLine } from './known-items/scores.ts';
import { readSite, type SitePages, urlOf } from './known-items/site-pages.ts';
import { siteStore } from './known-items/site-store.ts';
import { sites } from './known-items/sites.ts';
import { writeBlock } from './write-block.ts';

/** Questions of each site, kind and half. */
const defaultMost = 100;

/** Questions between two lines of progress. */
const progressEvery = 500;

/**
 * Is the page found that documentation's own indexes name for a term? All sites lie in one data folder; the questions
 * are made by `questionsOf`, whose rules say what is fair. Arguments: `--half dev|held` (dev without it), `--sites a,b`
 * and `--kinds a,b` to ask fewer, `--most N` questions of a site and kind, `--failures N` examples of each kind and
 * cause (of `dev` alone: no one tunes on the half that is held out), `--rebuild` to import all again, `--write` to put
 * the table into docs/relevance.md.
 */
export async function main(args: string[]): Promise<void> {
  const optionOf = (flag: string): string | undefined => {
    const at = args.indexOf(flag);
    return at < 0 ? undefined : args[at + 1];
  };
  const half = optionOf('--half') ?? 'dev';
  if (half !== 'dev' && half !== 'held') throw new Error(`--half must be dev or held: ${half}`);
  const chosenSites = chosen(
    '--sites',
    optionOf('--sites'),
    sites.map(({ name }) => name),
  );
  const chosenKinds = chosen('--kinds', optionOf('--kinds'), kinds);
  const most = Number(optionOf('--most') ?? defaultMost);

  const dataFolder = await siteStore(args.includes('--rebuild'));
  console.log(`imported ${statSync(dataFolder).birthtime.toISOString()}; --rebuild imports again`);
  const app = openApp({
    config: { dataFolder },
    log: silentLog,
    now: () => Date.UTC(2026, 0, 1),
  });
  try {
    await app.prepare();
    const read = sites.map(readSite);
    const isStored = (url: string): boolean => app.store.head(pageId(url)) !== undefined;
    checkItems(read, isStored);
    const targets = forwardedUrls(read);
    const all = [...sampled(questionsOf(read, isStored), most), ...agentQuestions(isStored)];
    const questions = all.filter(
      (question) =>
        question.half === half && chosenSites.has(question.site) && chosenKinds.has(question.kind),
    );
    console.log(`${app.store.pageCount()} pages, ${questions.length} questions of the half ${half}`);
    const outcomes: Outcome[] = [];
    for (const question of questions) {
      outcomes.push(await ask(app, question, (url) => targets.get(url) ?? url));
      if (outcomes.length % progressEvery === 0) console.error(`${outcomes.length} asked`);
    }
    const table = `${scoreTable(outcomes)}\n\n${suggestionLine(outcomes)}`;
    console.log(table);
    if (half === 'dev') await printMisses(outcomes, Number(optionOf('--failures') ?? 0));
    if (args.includes('--write')) writeBlock('docs/relevance.md', `known-items-${half}`, table);
  } finally {
    await app.close();
  }

  async function printMisses(outcomes: readonly Outcome[], examples: number): Promise<void> {
    const caused = [];
    for (const outcome of missed(outcomes)) caused.push({ outcome, cause: await causeOf(app, outcome) });
    console.log(`\n${causeTable(caused)}`);
    const shown = new Map<string, number>();
    for (const { outcome, cause } of caused) {
      const { question, rank, first, suggested } = outcome;
      const group = `${question.kind}: ${cause}`;
      shown.set(group, (shown.get(group) ?? 0) + 1);
      if ((shown.get(group) ?? 0) > examples) continue;
      const got = [...(suggested === undefined ? [] : [`did you mean ${suggested}`]), ...first.slice(0, 3)];
      console.log(
        `\n[${group}] ${question.text}\n  right: ${[...question.right].join(' ')} (${rank ?? 'not in ten'})\n  got:   ${got.join('\n         ')}`,
      );
    }
  }
}

/** Names of a list given as `a,b`; all without one. */
function chosen(flag: string, list: string | undefined, all: readonly string[]): ReadonlySet<string> {
  const names = list?.split(',') ?? all;
  const unknown = names.filter((name) => !all.includes(name));
  if (unknown.length > 0) throw new Error(`${flag} knows ${all.join(', ')}: not ${unknown.join(', ')}`);
  return new Set(names);
}

/** Stops the run when a site's index was not read: a question that is not asked fails in silence. */
function checkItems(read: readonly SitePages[], isStored: (url: string) => boolean): void {
  for (const { site, items } of read) {
    const stored = items.filter(({ page }) => isStored(urlOf(site, page))).length;
    console.log(`${site.name}: ${items.length} entries of its indexes, ${stored} lead to a stored page`);
    if (stored < site.minItems)
      throw new Error(`${site.name}: expected at least ${site.minItems} entries that lead to a stored page`);
  }
}

function forwardedUrls(read: readonly SitePages[]): Map<string, string> {
  return new Map(
    read.flatMap(({ site, forwards }) =>
      [...forwards].map(([from, to]): [string, string] => [urlOf(site, from), urlOf(site, to)]),
    ),
  );
}
