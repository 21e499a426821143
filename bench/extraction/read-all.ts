import { fork } from 'node:child_process';
import { createExtractor } from '../../src/extract/extract.ts';
import { createTrail } from '../../src/extract/main-text/explain.ts';
import { parseDate } from '../../src/extract/metadata/dates.ts';
import type { ReaderReport } from './reader-process.ts';
import { loadPageSet, type PageSetName, pageBytes } from './sets.ts';

export const readerNames = ['gleaner', 'readability', 'defuddle'] as const;
export type ReaderName = (typeof readerNames)[number];

/** Reads all sets with one library in a process of its own, so that no other's garbage counts against it. */
export function readAll(name: ReaderName): Promise<ReaderReport> {
  return new Promise((resolve, reject) => {
    const child = fork(new URL('./reader-process.js', import.meta.url), [name], {
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

/** The day of our dates where the page is: as it is written, before it is turned into UTC. Null where there is none. */
export function writtenDays(set: PageSetName, now: number): (string | null)[] {
  const extract = createExtractor({ detectLanguage: () => 'und', now: () => now });
  return loadPageSet(set).map((page) => {
    const trail = createTrail();
    const extraction = extract({ url: page.url, bytes: pageBytes(page), contentType: 'text/html' }, trail);
    if (extraction.kind !== 'page' || extraction.page.publishedAt === null) return null;
    const written = trail.choices.find(({ field }) => field === 'published_at')?.from ?? '';
    const local = /(\d{4}-\d\d-\d\d)[T ]\d\d:\d\d/.exec(written)?.[1];
    return new Date(parseDate(local ?? '') ?? extraction.page.publishedAt).toISOString().slice(0, 10);
  });
}
