import type { Config } from '../config.ts';
import { createKeep } from '../engine/keep.ts';
import { createExtractPool } from '../extract/extract-pool.ts';
import { type ImportSummary, importPaths } from '../import/import.ts';
import { createCompactor } from '../index/compactor.ts';
import { readManifest } from '../index/manifest.ts';
import { indexFolderOf } from '../index/read-ahead.ts';
import { openPageStore } from '../store/lmdb-store.ts';
import { dropOwnDocs } from './own-docs.ts';
import { printableLine } from './printable.ts';
import { createJsonLines, createLineProgress } from './progress-lines.ts';
import { createSentenceLog } from './sentence-log.ts';
import { stopSignal } from './stop-signal.ts';

export interface ImportFlags {
  readonly baseUrl?: string;
  readonly json?: true;
}

/** So many pages lie between two looks at whether packing is due. */
const packCheckEvery = 500;

/** `gleaner import`: archives, folders and documents into the index; progress on stderr, the summary on stdout. */
export async function importCommand(
  paths: readonly string[],
  { baseUrl, json }: ImportFlags,
  config: Config,
): Promise<void> {
  const log = createSentenceLog(config);
  const store = openPageStore(config.dataFolder);
  const indexFolder = indexFolderOf(config.dataFolder);
  const compactor = createCompactor({
    store,
    log,
    dataFolder: config.dataFolder,
    indexFolder,
    packedSeq: () => readManifest(indexFolder)?.seq ?? 0,
  });
  const readers = createExtractPool();
  const lines = createJsonLines(process.stdout, config.quiet);
  const progress = createLineProgress(process.stderr, config.quiet);
  try {
    const summary = await importPaths({
      paths,
      baseUrl,
      store,
      // This process answers no searches: those that do follow the change log.
      keep: createKeep({ store, catchUp: async () => {} }),
      extract: readers.extract,
      now: Date.now,
      onProgress: (state) => {
        const { stored, unchanged, refused, path } = state;
        if (json) lines.progress(state);
        else
          progress(`${stored} stored, ${unchanged} unchanged, ${refused} not taken: ${printableLine(path)}`);
        if ((stored + unchanged) % packCheckEvery === 0) void compactor.packWhenDue();
      },
      onOutcome: (what, url) => log.info({}, `${what}: ${url}`),
      signal: stopSignal(),
    });
    if (json) lines.write({ kind: 'summary', ...summary });
    else process.stdout.write(asText(summary));
    if (summary.stored > 0) await dropOwnDocs(store);
    await compactor.packWhenDue();
    if (summary.stopped) process.exitCode = 130;
    else if (summary.stored + summary.unchanged === 0 || summary.broken.length > 0) process.exitCode = 1;
  } finally {
    await readers.close();
    await compactor.close();
    await store.close();
  }
}

function asText({ stored, unchanged, refused, broken, stopped }: ImportSummary): string {
  const reasons = Object.entries(refused).sort(([, a], [, b]) => b - a);
  const rows: [string, number][] = [
    ['stored', stored],
    ['unchanged', unchanged],
    ['not taken', reasons.reduce((sum, [, count]) => sum + count, 0)],
    ...reasons.map(([why, count]): [string, number] => [`  ${printableLine(why)}`, count]),
  ];
  const table = rows.map(([name, count]) => `${name.padEnd(28)}${String(count).padStart(8)}\n`).join('');
  const damage = broken
    .map(({ path, why }) => `Not read to its end: ${printableLine(path)}: ${printableLine(why)}\n`)
    .join('');
  const ended = stopped ? 'Stopped. The same command goes on: what is stored is not stored again.\n' : '';
  return table + damage + ended;
}
