import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type App, openApp } from '../src/app/app.ts';
import { SearchParams } from '../src/contract/search.ts';
import { fewResults } from '../src/engine/suggestion/few-results.ts';
import { isCorrectable } from '../src/index/correctable.ts';
import { indexFolderOf } from '../src/index/packed/read-ahead.ts';
import { openSegmentFile } from '../src/index/packed/segment-bytes.ts';
import { endOf } from '../src/index/segment/dictionary/ranges.ts';
import { documentFrequency, openSegment, type Segment } from '../src/index/segment/reader.ts';
import { decodeTerm } from '../src/index/segment/term-bytes.ts';
import { silentLog } from '../src/runtime.ts';
import { indexTerms } from '../src/text/terms.ts';
import { documentationFolder, realMisspellings } from './did-you-mean/data.ts';
import { type Mistake, misspell, mistakes, numberFrom } from './did-you-mean/misspell.ts';
import { writeBlock } from './write-block.ts';

/** Words that stand on fewer pages are not misspelt here: they may be misspellings themselves. */
const minPages = 3;
const asciiWord = /^[a-z]+$/;
const halves = ['dev', 'held'] as const;

interface Word {
  readonly term: string;
  readonly pages: number;
}

interface Case {
  readonly word: string;
  readonly q: string;
  readonly meant: string;
  readonly mistake: Mistake | 'real';
}

type Pair = readonly [typed: string, meant: string];

/**
 * Is what was meant suggested? Mistakes made by rule in words of documentation, and those of a list of real ones whose
 * right word stands there. `--half dev|held` (dev without it) by the hash of the right word; no one tunes on `held`.
 * `--count 300` of each, `--failures N` examples (of `dev` alone), `--data FOLDER` for a data folder of your own,
 * `--write` puts the table into docs/relevance.md.
 */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      data: { type: 'string' },
      half: { type: 'string', default: 'dev' },
      count: { type: 'string', default: '300' },
      failures: { type: 'string', default: '0' },
      write: { type: 'boolean', default: false },
    },
  });
  const half = halves.find((name) => name === values.half);
  if (half === undefined) throw new Error(`--half must be dev or held: ${values.half}`);
  const dataFolder = values.data ?? (await documentationFolder());
  const words = (await wordsOf(dataFolder)).filter(({ term }) => halfOf(term) === half);
  const app = openApp({ config: { dataFolder }, log: silentLog });
  try {
    await app.prepare();
    const count = Number(values.count);
    const frequent = words.filter(({ pages }) => pages >= minPages);
    await app.engine.didYouMean(SearchParams.parse({ q: 'warmingup' }));
    const lines = [
      `| ${app.store.pageCount()} pages, ${frequent.length} words | asked | right | another word | none | CPU ms |`,
      '|---|--:|--:|--:|--:|--:|',
    ];
    const failures: string[] = [];
    for (const [name, weight] of [
      ['by pages', (pages: number) => pages],
      ['all alike', () => 1],
    ] as const) {
      const cases = await casesOf(app, drawn(frequent, weight), count);
      for (const mistake of mistakes)
        lines.push(
          row(
            `${name}: ${mistake}`,
            await ask(
              app,
              cases.filter((each) => each.mistake === mistake),
              failures,
            ),
          ),
        );
      lines.push(row(`**${name}: all**`, await ask(app, cases, [])));
      lines.push(
        row(`${name}: with another word`, await ask(app, await besideAnother(app, cases), failures)),
      );
    }
    const unusual = words.filter(({ pages }) => pages < minPages);
    const unusualCases = await casesOf(
      app,
      drawn(unusual, () => 1),
      count,
    );
    lines.push(row('on one or two pages: all', await ask(app, unusualCases, failures)));
    const known = new Map(words.map(({ term, pages }) => [term, pages]));
    const pairs = realMisspellings().filter(([, meant]) => halfOf(meant) === half);
    const real = inRandomOrder(pairs.filter(([, meant]) => (known.get(meant) ?? 0) >= minPages));
    lines.push(row('**real misspellings**', await ask(app, await askedOf(app, real, count), failures)));
    const absent = [...new Set(pairs.map(([, meant]) => meant))].filter((meant) => !known.has(meant));
    const right = inRandomOrder(absent.map((word) => [word, ''] as const));
    lines.push(row('real words that no page holds', await ask(app, await askedOf(app, right, count), [])));
    const rare = words.filter(({ pages }) => pages < fewResults).map(({ term }) => [term, ''] as const);
    lines.push(
      row('words of one or two pages', await ask(app, await askedOf(app, inRandomOrder(rare), count), [])),
    );
    console.log(lines.join('\n'));
    if (half === 'dev') console.log(failures.slice(0, Number(values.failures)).join('\n'));
    if (values.write) writeBlock('docs/relevance.md', `did-you-mean-${half}`, lines.join('\n'));
  } finally {
    await app.close();
  }
}

function halfOf(term: string): (typeof halves)[number] {
  return numberFrom(term, 'half') % 2 === 0 ? 'dev' : 'held';
}

/** Words of the packed index that consist of the letters a to z, for which mistakes can be made by rule. */
async function wordsOf(dataFolder: string): Promise<Word[]> {
  const folder = indexFolderOf(dataFolder);
  const files = readdirSync(folder).filter((file) => file.endsWith('.seg'));
  const segments: Segment[] = [];
  for (const file of files) {
    const read = openSegment(openSegmentFile(join(folder, file)).buffer);
    if (read.kind === 'segment') segments.push(read.segment);
  }
  const terms = new Set<string>();
  for (const { dictionary } of segments) {
    const { termCount, termText, texts } = dictionary;
    for (let term = 0; term < termCount; term++) {
      const text = decodeTerm(termText, texts.start(term), endOf(texts, term));
      if (asciiWord.test(text) && isCorrectable(text)) terms.add(text);
    }
  }
  return Array.from(terms, (term) => ({
    term,
    pages: segments.reduce((sum, segment) => sum + documentFrequency(segment, term), 0),
  }));
}

/** The words in a random order that is the same in each run, each as likely to come early as its weight says. */
function drawn(words: readonly Word[], weight: (pages: number) => number): Word[] {
  const key = ({ term, pages }: Word) => Math.log((numberFrom(term, 'draw') + 1) / 2 ** 32) / weight(pages);
  return words
    .map((word) => ({ word, key: key(word) }))
    .sort((a, b) => b.key - a.key)
    .map(({ word }) => word);
}

/** One mistake for each word, each kind in turn. A mistake that makes another word of three pages is left out. */
async function casesOf(app: App, words: readonly Word[], count: number): Promise<Case[]> {
  const cases: Case[] = [];
  for (const { term } of words) {
    if (cases.length === count) break;
    const mistake = mistakes[cases.length % mistakes.length] as Mistake;
    const q = misspell(term, mistake);
    if (q === undefined || (await totalOf(app, q)) >= fewResults) continue;
    cases.push({ word: term, q, meant: term, mistake });
  }
  return cases;
}

/** Of what was typed and meant the cases where few pages hold what was typed, so that a suggestion is asked for. */
async function askedOf(app: App, pairs: readonly Pair[], count: number): Promise<Case[]> {
  const cases: Case[] = [];
  for (const [q, meant] of pairs) {
    if (cases.length === count) break;
    if ((await totalOf(app, q)) < fewResults) cases.push({ word: meant, q, meant, mistake: 'real' });
  }
  return cases;
}

function inRandomOrder(pairs: readonly Pair[]): Pair[] {
  return pairs
    .map((pair) => [numberFrom(pair.join(' '), 'draw'), pair] as const)
    .sort(([a], [b]) => a - b)
    .map(([, pair]) => pair);
}

/** The same cases after a word of the title of the first page that holds the right word. */
async function besideAnother(app: App, cases: readonly Case[]): Promise<Case[]> {
  const longer: Case[] = [];
  for (const each of cases) {
    const { results } = await app.engine.search(SearchParams.parse({ q: each.word, limit: 1 }));
    const other = indexTerms(results[0]?.title ?? '').find(
      (term) => isCorrectable(term) && asciiWord.test(term) && term !== each.word,
    );
    if (other === undefined) continue;
    const [q, meant] = [`${other} ${each.q}`, `${other} ${each.word}`];
    if ((await totalOf(app, q)) < fewResults && (await totalOf(app, meant)) > 0)
      longer.push({ ...each, q, meant });
  }
  return longer;
}

async function totalOf(app: App, q: string): Promise<number> {
  return (await app.engine.search(SearchParams.parse({ q, limit: 1 }))).total;
}

interface Outcome {
  asked: number;
  right: number;
  wrong: number;
  cpuMs: number;
}

async function ask(app: App, cases: readonly Case[], failures: string[]): Promise<Outcome> {
  const outcome = { asked: cases.length, right: 0, wrong: 0, cpuMs: 0 };
  for (const { q, meant, mistake } of cases) {
    const params = SearchParams.parse({ q });
    const before = process.cpuUsage();
    const got = await app.engine.didYouMean(params);
    const { user, system } = process.cpuUsage(before);
    outcome.cpuMs += (user + system) / 1000;
    if (got === meant) outcome.right++;
    else {
      failures.push(`${mistake}: ${q} -> ${got}, not ${meant}`);
      if (got !== undefined) outcome.wrong++;
    }
  }
  return outcome;
}

function row(name: string, { asked, right, wrong, cpuMs }: Outcome): string {
  const share = (count: number): string => `${((100 * count) / Math.max(1, asked)).toFixed(1)} %`;
  const none = asked - right - wrong;
  return `| ${name} | ${asked} | ${share(right)} | ${share(wrong)} | ${share(none)} | ${(cpuMs / Math.max(1, asked)).toFixed(1)} |`;
}
