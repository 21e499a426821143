import { parseArgs } from 'node:util';
import { SearchParams } from '../src/contract/search.ts';
import type { Engine } from '../src/engine/engine.ts';
import { indexFolderOf } from '../src/index/packed/read-ahead.ts';
import type { IndexHit, PageIndex } from '../src/index/page-index.ts';
import type { Page } from '../src/page.ts';
import { machine } from './engines/table.ts';
import { notAskedBefore } from './not-asked.ts';
import { openOwnEngine } from './own-engine.ts';
import { type ClassSearch, drawClasses, type QueryClass } from './whole-answers/queries.ts';
import { type PageSample, packedFolder, realPages, samplePages } from './whole-answers/real-pages.ts';
import { sectionSizes } from './whole-answers/section-sizes.ts';
import { writeBlock } from './write-block.ts';

/**
 * What does a whole answer cost in the process, by the kind of query: ranking, ten results with snippets, JSON?
 * `--queries 60` of each kind. The mean is the CPU of all queries of a kind together, in the best of `--rounds 4`; the
 * percentiles are of the least time of each query. The same engine answers each query from marks and from bodies in turn,
 * or only from marks with `--marks-only`. `--data FOLDER` searches another data folder as it is packed, with queries drawn
 * from at most 10,000 of its pages. `--class WORD` takes the kinds with a word in their name. `--write` puts the table into
 * docs/performance.md, as that of a million pages with `--table million`. `--sizes` only prints what `--data` takes by the sections of its segments; with `--write` into
 * docs/segment-format.md.
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
      sizes: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      table: { type: 'string', default: 'whole-answers' },
    },
  });
  const { data } = values;
  if (values.sizes) {
    if (data === undefined) throw new Error('--sizes needs --data FOLDER');
    const table = sectionSizes(indexFolderOf(data));
    console.log(table);
    if (values.write) writeBlock('docs/segment-format.md', 'sizes', table);
    return;
  }
  const { folder, total, classes } = await prepare(data, Number(values.queries));
  const own = openOwnEngine(folder);
  const engines = [own.engine, ...(values['marks-only'] ? [] : [own.over(withoutMarks(own.index))])];
  const lines = [
    `${total.toLocaleString('en')} pages, ${values.queries} queries of each kind, the least of ${values.rounds} rounds; ${machine()}.`,
    '',
    ...(values['marks-only'] ? marksHeader : bothHeader),
  ];
  for (const kind of classes.filter(({ name }) => name.includes(values.class))) {
    const line = await measureClass(kind, engines, Number(values.rounds));
    console.log(line);
    lines.push(line);
  }
  await own.close();
  const text = lines.join('\n');
  console.log(`\n${text}`);
  if (values.write) writeBlock('docs/performance.md', values.table, text);
}

/** The folder to search and the queries. The pages are garbage then: else each collection would look at them again. */
async function prepare(data: string | undefined, queries: number) {
  const { pages, total }: PageSample = data === undefined ? all(await realPages()) : await samplePages(data);
  const folder = data ?? (await packedFolder(pages));
  return { folder, total, classes: drawClasses(pages, queries) };
}

function all(pages: readonly Page[]): PageSample {
  return { pages, total: pages.length };
}

const marksHeader = ['| query | mean ms (CPU) | p50 | p99 |', '|---|--:|--:|--:|'];
const bothHeader = [
  '| query | from marks: mean ms (CPU) | p50 | p99 | from bodies: mean ms (CPU) | p50 | p99 | same ten, same order |',
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
  const measured = engines.map(() => ({
    meanCpu: Number.POSITIVE_INFINITY,
    least: searches.map(() => Number.POSITIVE_INFINITY),
    firstTen: searches.map(() => ''),
  }));
  for (let round = 0; round < rounds; round++) {
    for (const [which, engine] of engines.entries()) {
      const own = measured[which] as (typeof measured)[number];
      const before = process.cpuUsage();
      for (const [number, search] of searches.entries()) {
        const { ms, ids } = await ask(engine, search);
        own.least[number] = Math.min(own.least[number] as number, ms);
        own.firstTen[number] = ids.slice(0, 10).join(' ');
      }
      const { user, system } = process.cpuUsage(before);
      own.meanCpu = Math.min(own.meanCpu, (user + system) / 1000 / searches.length);
    }
  }
  const [first, second] = measured;
  const same = second && first?.firstTen.filter((ids, number) => ids === second.firstTen[number]).length;
  const figures = measured.flatMap(({ meanCpu, least }) => [meanCpu.toFixed(2), ...percentiles(least)]);
  return `| ${[name, ...figures, ...(same === undefined ? [] : [`${same} of ${searches.length}`])].join(' | ')} |`;
}

async function ask(engine: Engine, search: ClassSearch) {
  const params = { ...search, q: notAskedBefore(search.q) };
  const before = performance.now();
  const answer = await engine.search(SearchParams.parse(params), { mayAskExternal: () => false });
  JSON.stringify(answer);
  return { ms: performance.now() - before, ids: answer.results.map(({ id }) => id) };
}

/** Median and 99th percentile. */
function percentiles(times: readonly number[]): string[] {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return [at(0.5), at(0.99)].map((time) => time.toFixed(2));
}
