import { fork } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { createExtractor } from '../../src/extract/extract.ts';
import { cached } from '../engines/cache.ts';
import { type PythonPeerName, pythonPeerNames, readWithPython } from './python-peers.ts';
import type { ReaderReport } from './reader-process.ts';
import { type Half, judgedPages, pageBytes } from './sets.ts';

export const readerNames = ['gleaner', 'readability', 'defuddle', ...pythonPeerNames] as const;
export type ReaderName = (typeof readerNames)[number];

const isPythonPeer = (name: ReaderName): name is PythonPeerName =>
  (pythonPeerNames as readonly string[]).includes(name);

/**
 * What a library says of the pages of some halves. A peer's answers and times are kept in the cache, since it needs most of
 * an hour for them; remove them there, and all are read in one run.
 */
export async function readAll(name: ReaderName, halves: readonly Half[]): Promise<ReaderReport> {
  if (name === 'gleaner') return readNow(name, halves);
  const kept = cached('extraction-answers', `${name}-${halves.join('-')}`);
  if (existsSync(kept)) return deserialize(readFileSync(kept)) as ReaderReport;
  const report = await readNow(name, halves);
  writeFileSync(kept, serialize(report));
  return report;
}

/** Reads in a process of its own, so that no other's garbage counts against it. */
function readNow(name: ReaderName, halves: readonly Half[]): Promise<ReaderReport> {
  if (isPythonPeer(name)) return readWithPython(name, halves);
  return new Promise((resolve, reject) => {
    const child = fork(new URL('./reader-process.js', import.meta.url), [name, ...halves], {
      execArgv: ['--max-old-space-size=1500'],
      serialization: 'advanced',
      // Readability and defuddle complain on the console.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.once('message', (report) => resolve(report as ReaderReport));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code} before it had read all`)));
  });
}

/** The days that a client of ours gets, by page: the day where the page is, otherwise that of the time in UTC. */
export function writtenDays(halves: readonly Half[], now: number): ReadonlyMap<string, string> {
  const extract = createExtractor({ detectLanguage: () => 'und', now: () => now });
  const days = new Map<string, string>();
  for (const [key, page] of judgedPages(halves)) {
    const extraction = extract({ url: page.url, bytes: pageBytes(page), contentType: 'text/html' });
    if (extraction.kind !== 'page' || extraction.page.publishedAt === null) continue;
    const { publishedDay, publishedAt } = extraction.page;
    days.set(key, publishedDay ?? new Date(publishedAt).toISOString().slice(0, 10));
  }
  return days;
}
