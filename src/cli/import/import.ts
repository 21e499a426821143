import { openWriterApp } from '../../app/writer-app.ts';
import type { Config } from '../../config/config.ts';
import { ServiceError } from '../../contract/errors.ts';
import { createExtractPool } from '../../extract/extract-pool.ts';
import { type ImportSummary, importPaths } from '../../import/import.ts';
import { type CredentialFlags, hasCredentialFlags } from '../arguments/typed-credentials.ts';
import { finishWriting, stopping } from '../finish-writing.ts';
import { printableLine } from '../output/printable.ts';
import { createJsonLines, createLineProgress } from '../output/progress-lines.ts';
import { sayOnStderr } from '../output/say.ts';
import { createSentenceLog } from '../output/sentence-log.ts';
import { whyImportFailed } from '../output/why-failed.ts';
import { stopSignal } from '../stop-signal.ts';
import { type Downloaded, isWebUrl } from './web-url.ts';

export interface ImportFlags extends CredentialFlags {
  readonly baseUrl?: string;
  readonly json?: true;
}

/** `gleaner import`: archives, folders and documents, of this machine or downloaded, into the index; progress on stderr, the summary on stdout. */
export async function importCommand(
  paths: readonly string[],
  { baseUrl, json, ...credentialFlags }: ImportFlags,
  config: Config,
): Promise<void> {
  const log = createSentenceLog(config);
  const isAnyUrl = paths.some(isWebUrl);
  if (!isAnyUrl && hasCredentialFlags(credentialFlags))
    throw new ServiceError('invalid_parameters', '--header and --cookie-file are for URLs: no URL is given');
  const onLongPacking = json || config.quiet ? undefined : sayOnStderr;
  const app = openWriterApp({ config, log, onWait: sayOnStderr, onLongPacking });
  const readers = createExtractPool();
  const lines = createJsonLines(process.stdout, config.quiet);
  const progress = createLineProgress(process.stderr, config.quiet);
  const signal = stopSignal();
  signal.addEventListener('abort', () => {
    if (config.quiet) return;
    if (json) lines.write({ kind: 'note', text: stopping });
    else process.stderr.write(`${stopping}\n`);
  });
  let downloaded: Downloaded | undefined;
  try {
    if (isAnyUrl) {
      const { downloadSources } = await import('./download-sources.ts');
      downloaded = await downloadSources(paths, credentialFlags, config);
    }
    const summary = await importPaths({
      paths: downloaded?.paths ?? paths,
      ...(downloaded && { downloads: downloaded.downloads }),
      baseUrl,
      store: app.store,
      pageWriter: app.pageWriter,
      extract: readers.extract,
      now: Date.now,
      onProgress: (state) => {
        const { stored, unchanged, refused, path } = state;
        if (json) lines.progress(state);
        else
          progress(`${stored} stored, ${unchanged} unchanged, ${refused} not taken: ${printableLine(path)}`);
        app.packing.pagesDone(stored + unchanged);
      },
      onOutcome: (what, url) => log.info({}, `${what}: ${url}`),
      signal,
    });
    if (json) lines.write({ kind: 'summary', ...summary });
    else process.stdout.write(asText(summary));
    await finishWriting(app, summary, { failure: whyImportFailed(summary), signal });
  } finally {
    await downloaded?.remove();
    await readers.close();
    await app.close();
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
  const damage = broken.map(describeBroken).join('');
  const ended = stopped ? 'Stopped. The same command goes on: what is stored is not stored again.\n' : '';
  return table + damage + ended;
}

function describeBroken({ path, why, lost }: ImportSummary['broken'][number]): string {
  if (lost === undefined) return `Not read: ${printableLine(path)}: ${printableLine(why)}\n`;
  const { places, records, bytes } = lost;
  const where = places === 1 ? '' : ` in ${places} places`;
  const what = records === 1 ? '1 record' : `${records} records`;
  return `Not read in full: ${printableLine(path)}: ${printableLine(why)}${where}; at least ${what} lost (${bytes} bytes)\n`;
}
