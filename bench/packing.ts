import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as after, setImmediate as nextTurn } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { SearchParams } from '../src/contract/search.ts';
import { createEngine, type Engine } from '../src/engine/engine.ts';
import { createStoredPages } from '../src/engine/stored-pages.ts';
import { openIndex } from '../src/index/open-index.ts';
import { createCompactor } from '../src/index/packed/compactor.ts';
import { pack } from '../src/index/packed/pack.ts';
import { indexFolderOf } from '../src/index/packed/read-ahead.ts';
import { silentLog } from '../src/runtime.ts';
import { openPageStore } from '../src/store/lmdb-store.ts';
import { notAskedBefore } from './not-asked.ts';
import { drawWord, fillStore, seededRandom } from './page-source.ts';

const failures = {
  ...silentLog,
  error: (details: object, message: string) => console.error(message, details),
};

/** Does packing hold up the process that answers? Packs `--pages 20000` in the worker while searches go on. */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { pages: { type: 'string', default: '20000' } } });
  const pages = Number(values.pages);
  const dataFolder = mkdtempSync(join(tmpdir(), 'gleaner-packing-'));
  try {
    await fillStore(dataFolder, pages);
    await measure(dataFolder, pages);
  } finally {
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

/** Makes the index of a process that has the first tenth in its live tier, and the rest not at all; then packs all. */
async function measure(dataFolder: string, pages: number): Promise<void> {
  const indexFolder = indexFolderOf(dataFolder);
  const store = openPageStore(dataFolder);
  const index = openIndex({ folder: indexFolder, log: silentLog });
  for (const { seq, id } of store.changesAfter(0, pages / 10)) {
    const page = store.page(id);
    if (page) await index.apply([{ seq, kind: 'put', page }]);
  }
  const engine = createEngine({
    pages: createStoredPages(store),
    index,
    now: Date.now,
    log: silentLog,
  });
  const packedSeq = () => index.stats().packedSeq;
  const compactor = createCompactor({ store, log: failures, dataFolder, indexFolder, packedSeq });

  await searchDuring(engine, after(1000));
  const { livePages } = index.stats();
  report(`before, ${livePages} pages in the live tier`, await searchDuring(engine, after(5000)));
  const began = performance.now();
  const packing = compactor.packNow().then(() => {
    console.log(
      `packed ${pages} pages concurrently with the searches in ${seconds(performance.now() - began)} s`,
    );
    return after(1000);
  });
  report('during, and taking over what was packed', await searchDuring(engine, packing));
  report(`after, ${index.stats().livePages} in the live tier`, await searchDuring(engine, after(5000)));
  await compactor.close();
  await index.close();

  const before = process.cpuUsage();
  const { packed } = pack(store, join(dataFolder, 'index-again'));
  const { user, system } = process.cpuUsage(before);
  console.log(`${Math.round(packed / ((user + system) / 1e6))} pages packed per CPU second, alone`);
  await store.close();
}

interface Latencies {
  /** Of each search, milliseconds, ascending. */
  readonly tookMs: Float64Array;
  readonly longestStallMs: number;
}

/** Searches one after the other, with a turn of the event loop between two, until `end` resolves. */
async function searchDuring(engine: Engine, end: Promise<unknown>): Promise<Latencies> {
  const random = seededRandom(2);
  const took: number[] = [];
  let ended = false;
  const ending = end.finally(() => {
    ended = true;
  });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  while (!ended) {
    const q = Array.from({ length: 1 + Math.floor(random() * 3) }, () => drawWord(random)).join(' ');
    const from = performance.now();
    await engine.search(SearchParams.parse({ q: notAskedBefore(q) }));
    took.push(performance.now() - from);
    await nextTurn();
  }
  delay.disable();
  await ending;
  return { tookMs: Float64Array.from(took).sort(), longestStallMs: delay.max / 1e6 };
}

function report(when: string, { tookMs, longestStallMs }: Latencies): void {
  const quantile = (share: number) => (tookMs[Math.floor(tookMs.length * share)] ?? 0).toFixed(2);
  console.log(
    `${when}: ${tookMs.length} searches, p50 ${quantile(0.5)} ms, p99 ${quantile(0.99)} ms, longest ${(tookMs.at(-1) ?? 0).toFixed(1)} ms; longest stall ${longestStallMs.toFixed(1)} ms`,
  );
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}
