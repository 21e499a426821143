import { parseArgs } from 'node:util';
import { SearchParams } from '../src/contract/search.ts';
import { createEngine, type Engine } from '../src/engine/engine.ts';
import { createStoredPages } from '../src/engine/stored-pages.ts';
import { openIndex } from '../src/index/open-index.ts';
import { indexFolderOf } from '../src/index/packed/read-ahead.ts';
import type { IndexHit, PageIndex } from '../src/index/page-index.ts';
import { silentLog } from '../src/runtime.ts';
import { openPageStore } from '../src/store/lmdb-store.ts';
import { machine } from './engines/table.ts';
import { notAskedBefore } from './not-asked.ts';
import { type ClassSearch, drawClasses, type QueryClass } from './whole-answers/queries.ts';
import { packedFolder, pagesOfFolder, realPages } from './whole-answers/real-pages.ts';
import { writeBlock } from './write-block.ts';

/**
 * What does a whole answer cost in the process, by the kind of query: ranking, ten results with snippets, JSON?
 * `--queries 60` of each kind, of each the least CPU of `--rounds 4`. The same engine answers each query from marks and
 * from bodies in turn, or only from marks with `--marks-only`. `--data FOLDER --every 1` takes other pages. `--class WORD` takes the kinds with a word in their name.
 * `--write` puts the table into docs/performance.md.
 */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      queries: { type: 'string', default: '60' },
      rounds: { type: 'string', default: '4' },
      class: { type: 'string', default: '' },
      'marks-only': { type: 'boolean', default: false },
      data: { type: 'string' },
      every: { type: 'string', default: '1' },
      write: { type: 'boolean', default: false },
    },
  });
  const { data } = values;
  const pages = data === undefined ? await realPages() : await pagesOfFolder(data, Number(values.every));
  const classes = drawClasses(pages, Number(values.queries));
  const folder = await packedFolder(pages);
  // Not the whole service, whose upkeep puts pages into the live tier.
  const store = openPageStore(folder);
  const index = openIndex({ folder: indexFolderOf(folder), log: silentLog, changeLog: store });
  const engineOver = (own: PageIndex): Engine =>
    createEngine({ pages: createStoredPages(store), index: own, now: Date.now, log: silentLog });
  const engines = [engineOver(index), ...(values['marks-only'] ? [] : [engineOver(withoutMarks(index))])];
  const lines = [
    `${pages.length.toLocaleString('en')} pages, ${values.queries} queries of each kind, each the least CPU of ${values.rounds} rounds; ${machine()}.`,
    '',
    ...(values['marks-only'] ? marksHeader : bothHeader),
  ];
  for (const kind of classes.filter(({ name }) => name.includes(values.class))) {
    const line = await measureClass(kind, engines, Number(values.rounds));
    console.log(line);
    lines.push(line);
  }
  await index.close();
  await store.close();
  const text = lines.join('\n');
  console.log(`\n${text}`);
  if (values.write) writeBlock('docs/performance.md', 'whole-answers', text);
}

const marksHeader = ['| query | mean ms | p50 | p99 |', '|---|--:|--:|--:|'];
const bothHeader = [
  '| query | from marks: mean ms | p50 | p99 | from bodies: mean ms | p50 | p99 | same ten, same order |',
  '|---|--:|--:|--:|--:|--:|--:|--:|',
];

/** The index as it is without marks: the engine reads bodies. */
function withoutMarks(index: PageIndex): PageIndex {
  const bare = (hits: readonly IndexHit[]) => hits.map((hit) => ({ ...hit, marks: undefined }));
  return {
    ...index,
    search: async (search) => {
      const answer = await index.search(search);
      return { ...answer, hits: bare(answer.hits) };
    },
    partialMatches: async (search) => {
      const answer = await index.partialMatches(search);
      return { ...answer, well: bare(answer.well), rest: bare(answer.rest) };
    },
  };
}

/** A row of the table. */
async function measureClass(
  { name, searches }: QueryClass,
  engines: readonly Engine[],
  rounds: number,
): Promise<string> {
  const least = engines.map(() => searches.map(() => Number.POSITIVE_INFINITY));
  const firstTen = engines.map(() => searches.map(() => ''));
  for (let round = 0; round < rounds; round++) {
    for (const [number, search] of searches.entries()) {
      for (const [which, engine] of engines.entries()) {
        const { cpuMs, ids } = await ask(engine, search);
        const times = least[which] as number[];
        times[number] = Math.min(times[number] as number, cpuMs);
        (firstTen[which] as string[])[number] = ids.slice(0, 10).join(' ');
      }
    }
  }
  const [first = [], second] = firstTen;
  const same = second && first.filter((ids, number) => ids === second[number]).length;
  const figures = least.flatMap(summary);
  return `| ${[name, ...figures, ...(same === undefined ? [] : [`${same} of ${searches.length}`])].join(' | ')} |`;
}

async function ask(engine: Engine, search: ClassSearch) {
  const params = { ...search, q: notAskedBefore(search.q) };
  const before = process.cpuUsage();
  const answer = await engine.search(SearchParams.parse(params), { mayAskExternal: () => false });
  JSON.stringify(answer);
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1000, ids: answer.results.map(({ id }) => id) };
}

/** Mean, median and 99th percentile. */
function summary(times: readonly number[]): string[] {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  return [mean, at(0.5), at(0.99)].map((time) => time.toFixed(2));
}
