import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { type App, openApp } from '../src/app/app.ts';
import { rankPartialMatches } from '../src/engine/partial-matches.ts';
import { rank } from '../src/engine/ranking/two-phase-ranking.ts';
import { parseQuery } from '../src/query/parser.ts';
import type { Query, Word } from '../src/query/query.ts';
import { reduceQuery } from '../src/query/reduce-query.ts';
import { silentLog } from '../src/runtime.ts';
import { pageId } from '../src/store/page/page-id.ts';
import { type JudgedQuery, type JudgedSet, loadJudgedSet, setNames } from './judged-sets.ts';
import { type RankingScores, scoreRuns } from './ranking-metrics.ts';
import { writeBlock } from './write-block.ts';

type Search = (query: string) => Promise<string[]>;

/** Deep enough for recall@100 after the documents graded below 0 are taken out. */
const depth = 110;

const header = `| set | queries | reading | nDCG@10 | MRR@10 | recall@100 | P@10 | no result |
|---|---|---|---|---|---|---|---|`;

/**
 * How good are the answers? Arguments: names of judged sets, all without any; `dev` or `test` takes that half of the
 * queries; `--write` puts the table into docs/relevance.md.
 */
export async function main(args: string[]): Promise<void> {
  const half = args.find((arg) => arg === 'dev' || arg === 'test');
  const names = args.filter((arg) => arg !== half && arg !== '--write');
  const rows = [header];
  console.log(header);
  for (const name of names.length > 0 ? names : setNames) {
    const set = loadJudgedSet(name);
    for (const [queries, label] of [
      [set.queries, 'questions'],
      [set.shortQueries, 'two or three words'],
      [paragraphs(set), 'paragraphs'],
    ] as const) {
      const chosen = queries.filter(({ id }) => half === undefined || halfOf(id) === half);
      if (chosen.length === 0) continue;
      const published = label === 'questions' ? [publishedRow(name, label)] : [];
      for (const row of [...published, ...(await scoreReadings(set, chosen, label))]) {
        console.log(row);
        rows.push(row);
      }
    }
  }
  if (args.includes('--write')) writeBlock('docs/relevance.md', 'relevance', rows.join('\n'));
}

/** BM25 by others over the same data, as the README of ../shared/data gives it: nDCG@10, recall@100, MRR@10. */
const published: Readonly<Record<string, readonly [string, string, string]>> = {
  cranfield: ['.426', '.745', '.665'],
  'xquad-en': ['.971', '', ''],
  'xquad-zh': ['.967', '', ''],
  'cmrc2018-zh': ['.984', '', ''],
  'stard-zh-laws': ['.505', '.898', '.471'],
};

function publishedRow(name: string, label: string): string {
  const [ndcg, recall, mrr] = published[name] ?? ['', '', ''];
  return `| ${name} | ${label} | *published BM25* | ${ndcg} | ${mrr} | ${recall} | | |`;
}

/** How many paragraphs of a set are asked for, and how long they are: what an agent pastes. */
const paragraphCount = 100;
const paragraphLength = 1800;

/** The beginnings of documents as questions for them, with a sentence that stands in none. */
function paragraphs({ docs }: JudgedSet): JudgedQuery[] {
  const step = Math.max(1, Math.floor(docs.length / paragraphCount));
  return docs
    .filter(({ text }, place) => place % step === 0 && text.trim() !== '')
    .map(({ id, text }) => ({
      id: `paragraph of ${id}`,
      text: `${text.slice(0, paragraphLength)} zeppelin`,
      grades: new Map([[id, 1]]),
    }));
}

async function scoreReadings(
  set: JudgedSet,
  queries: readonly JudgedQuery[],
  label: string,
): Promise<string[]> {
  const data = mkdtempSync(join(tmpdir(), 'gleaner-bench-'));
  const app = openApp({ config: { dataFolder: data }, log: silentLog, now: () => 0 });
  try {
    const docIds = await fill(app, set);
    const search =
      (read: (q: string) => Query | Promise<Query>): Search =>
      async (q) => {
        const query = await read(q);
        const { hits } = await rank(
          { index: app.index, store: app.store, now: () => 0 },
          { query, limit: depth },
        );
        return hits.map(({ id }) => docIds.get(id) ?? '');
      };
    /** What a reader of both lists sees, one after the other. */
    const strictAndPartial: Search = async (q) => {
      const parts = { index: app.index, store: app.store, now: () => 0 };
      const query = await asTyped(q);
      const strict = await rank(parts, { query, limit: depth });
      const partly = await rankPartialMatches(parts, { query, limit: depth });
      return [...strict.hits, ...(partly?.hits ?? [])].slice(0, depth).map(({ id }) => docIds.get(id) ?? '');
    };
    const asTyped = (q: string): Promise<Query> => reduceQuery(parseQuery(q), app.index.rarities);
    const plain = plainMiniSearch(set);
    const readings: [string, Search][] = [
      ['any word', search(anyWord)],
      ['every word, exact forms', search((q) => withoutStems(everyWord(q)))],
      ['every word', search(everyWord)],
      ['as typed', search(asTyped)],
      ['strict and partial', strictAndPartial],
      ['MiniSearch, any word', plain('OR')],
      ['MiniSearch, every word', plain('AND')],
    ];
    const rows: string[] = [];
    for (const [reading, ask] of readings)
      rows.push(row(set.name, label, reading, await score(ask, queries)));
    return rows;
  } finally {
    await app.close();
    rmSync(data, { recursive: true, force: true });
  }
}

/** The half of a set that a query belongs to, as the data's README splits them. */
function halfOf(id: string): 'dev' | 'test' {
  const last = createHash('sha256').update(id).digest().at(-1) ?? 0;
  return last % 2 === 0 ? 'dev' : 'test';
}

async function score(ask: Search, queries: readonly JudgedQuery[]): Promise<RankingScores> {
  const runs = [];
  for (const { text, grades } of queries) runs.push({ ranked: await ask(text), grades });
  return scoreRuns(runs);
}

function row(set: string, label: string, reading: string, scores: RankingScores): string {
  const { ndcg10, mrr10, recall100, precision10, empty } = scores;
  const figures = [ndcg10, mrr10, recall100, precision10].map((figure) =>
    figure.toFixed(3).replace(/^0/, ''),
  );
  return `| ${set} | ${label} | ${reading} | ${figures.join(' | ')} | ${(100 * empty).toFixed(1)} % |`;
}

/** Puts a set into the engine; page id to document id. */
async function fill({ store, prepare }: App, { name, lang, docs }: JudgedSet): Promise<Map<string, string>> {
  const docIds = new Map<string, string>();
  await store.write((writer) => {
    for (const { id: docId, title, text } of docs) {
      const url = `https://${name}.example/${encodeURIComponent(docId)}`;
      const id = pageId(url);
      docIds.set(id, docId);
      writer.putPage({
        id,
        url,
        title,
        body: text,
        lang,
        headings: '',
        description: '',
        siteName: null,
        author: null,
        publishedAt: null,
        crawledAt: 0,
        fileType: 'html',
        wordCount: 0,
      });
    }
  });
  await prepare();
  return docIds;
}

/** The contract to the letter: every word must match, function words too. */
function everyWord(q: string): Query {
  return parseQuery(
    q
      .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
      .trim()
      .replace(/(?<=^| )/g, '+'),
  );
}

/** A query that asks for exact forms alone: what stems do shows in the difference. */
function withoutStems(query: Query): Query {
  if (query.kind === 'words')
    return { ...query, words: query.words.map((word) => ({ ...word, stem: null })) };
  return query.kind === 'all' || query.kind === 'any' ? { ...query, of: query.of.map(withoutStems) } : query;
}

/** The bag of words that published figures are of. */
function anyWord(q: string): Query {
  const of = wordsOf(parseQuery(q)).map(
    (word): Query => ({
      kind: 'words',
      text: '',
      quoted: false,
      words: [{ ...word, required: true }],
    }),
  );
  return { kind: 'any', of };
}

function wordsOf(query: Query): readonly Word[] {
  if (query.kind === 'words') return query.words;
  return query.kind === 'all' || query.kind === 'any' ? query.of.flatMap(wordsOf) : [];
}

/** MiniSearch as it comes, over the same documents. */
function plainMiniSearch({ docs }: JudgedSet): (combineWith: 'AND' | 'OR') => Search {
  const index = new MiniSearch({ fields: ['title', 'text'] });
  index.addAll([...docs]);
  return (combineWith) => async (q) =>
    index
      .search(q, { combineWith })
      .slice(0, depth)
      .map(({ id }) => id as string);
}
