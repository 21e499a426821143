import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { SearchParams } from '../src/contract/search.ts';
import { createEngine, type Engine } from '../src/engine/engine.ts';
import { createStoredPages } from '../src/engine/stored-pages.ts';
import { openIndex } from '../src/index/open-index.ts';
import { indexFolderOf } from '../src/index/packed/read-ahead.ts';
import { createSearchThreads } from '../src/index/threads/search-threads.ts';
import { silentLog } from '../src/runtime.ts';
import { openPageStore } from '../src/store/lmdb-store.ts';
import { machine } from './engines/table.ts';
import { notAskedBefore } from './not-asked.ts';
import { drawClasses, type QueryClass } from './whole-answers/queries.ts';
import { samplePages } from './whole-answers/real-pages.ts';
import { writeBlock } from './write-block.ts';

/**
 * What do threads gain for dear searches, and what do they cost? Whole answers over `--data FOLDER` with and without
 * `--threads` (one less than there are cores), in turn: `--queries 20` of each kind, the means of the least of `--rounds 4`.
 * `--write` puts the table into docs/performance.md.
 */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      data: { type: 'string' },
      threads: { type: 'string', default: String(Math.max(1, availableParallelism() - 1)) },
      queries: { type: 'string', default: '20' },
      rounds: { type: 'string', default: '4' },
      write: { type: 'boolean', default: false },
    },
  });
  const { data } = values;
  if (data === undefined) throw new Error('--data FOLDER is needed');
  const { pages, total } = await samplePages(data);
  const classes = drawClasses(pages, Number(values.queries)).filter(({ name }) => name.includes('common'));
  const folder = indexFolderOf(data);
  const store = openPageStore(data);
  const threads = createSearchThreads({ count: Number(values.threads), folder, log: silentLog });
  const indexes = [{}, { threads }].map((own) =>
    openIndex({ folder, log: silentLog, changeLog: store, ...own }),
  );
  const engines = indexes.map((index) =>
    createEngine({ pages: createStoredPages(store), index, now: Date.now, log: silentLog }),
  );
  await startThreads(classes, engines[1] as Engine);
  const lines = [
    `${total.toLocaleString('en')} pages, ${values.threads} further threads, ${values.queries} queries of each kind, the least of ${values.rounds} rounds; ${machine()}.`,
    '',
    '| query | alone: ms | CPU ms | with threads: ms | CPU ms | ratio |',
    '|---|--:|--:|--:|--:|--:|',
  ];
  for (const kind of classes) {
    const line = await measure(kind, engines, Number(values.rounds));
    console.log(line);
    lines.push(line);
  }
  for (const index of indexes) await index.close();
  await store.close();
  const text = lines.join('\n');
  console.log(`\n${text}`);
  if (values.write) writeBlock('docs/performance.md', 'search-threads', text);
}

/** The first dear search starts the threads, and does not wait for them. */
async function startThreads(classes: readonly QueryClass[], engine: Engine): Promise<void> {
  const dearest = classes.at(-1)?.searches[0]?.q ?? '';
  for (let turn = 0; turn < 2; turn++) {
    await ask(engine, dearest);
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

async function measure(
  { name, searches }: QueryClass,
  engines: readonly Engine[],
  rounds: number,
): Promise<string> {
  const least = engines.map(() => searches.map(() => ({ ms: Infinity, cpu: Infinity })));
  for (let round = 0; round < rounds; round++)
    for (const [number, { q, limit }] of searches.entries())
      for (const [which, engine] of engines.entries()) {
        const own = least[which]?.[number] as { ms: number; cpu: number };
        const { ms, cpu } = await ask(engine, q, limit);
        own.ms = Math.min(own.ms, ms);
        own.cpu = Math.min(own.cpu, cpu);
      }
  const figures = least.map((own) => ({
    ms: own.reduce((sum, { ms }) => sum + ms, 0) / own.length,
    cpu: own.reduce((sum, { cpu }) => sum + cpu, 0) / own.length,
  }));
  const cells = figures.flatMap(({ ms, cpu }) => [ms.toFixed(1), cpu.toFixed(1)]);
  const ratio = (figures[1]?.ms ?? Number.NaN) / (figures[0]?.ms ?? Number.NaN);
  return `| ${[name, ...cells, ratio.toFixed(2)].join(' | ')} |`;
}

async function ask(engine: Engine, q: string, limit?: number) {
  const params = SearchParams.parse({ q: notAskedBefore(q), ...(limit !== undefined && { limit }) });
  const began = performance.now();
  const before = process.cpuUsage();
  await engine.search(params, { mayAskExternal: () => false });
  const { user, system } = process.cpuUsage(before);
  return { ms: performance.now() - began, cpu: (user + system) / 1000 };
}
