import { readFileSync } from 'node:fs';
import type { Half, Question } from './questions.ts';
import { urlOf } from './site-pages.ts';
import { sites } from './sites.ts';

interface Entry {
  readonly question: string;
  readonly site: string;
  /** Paths in the site; any of them answers the question. */
  readonly pages: readonly string[];
  readonly why: string;
  readonly half: Half;
}

/** Questions as agents type them, written by hand; throws when a right page is not in the store. */
export function agentQuestions(isStored: (url: string) => boolean): Question[] {
  const file = new URL('../../../bench/known-items/agent-questions.json', import.meta.url);
  const entries: Entry[] = JSON.parse(readFileSync(file, 'utf8'));
  return entries.map(({ question, site: name, pages, half }) => {
    const site = sites.find((one) => one.name === name);
    if (site === undefined) throw new Error(`agent-questions.json knows no site ${name}`);
    const right = pages.map((page) => urlOf(site, page));
    const missing = right.filter((url) => !isStored(url));
    if (missing.length > 0) throw new Error(`no page is stored at ${missing.join(', ')}`);
    return { kind: 'agent', site: name, half, text: question, right: new Set(right) };
  });
}
