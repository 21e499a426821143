import { Worker } from 'node:worker_threads';
import { readPdfHere } from './pdf-document.ts';
import { cpuMs, type PdfWork, uptimeMs } from './pdf-watch.ts';

/** The process for PDFs: when one uses too much memory or time, only this process ends. */
const [maxResidentMB = 0, maxCpuMs = 0, maxWallMs = 0] = process.argv.slice(2).map(Number);
const work: PdfWork = new Float64Array(new SharedArrayBuffer(2 * Float64Array.BYTES_PER_ELEMENT));
new Worker(new URL('./pdf-watch-thread.js', import.meta.url), {
  workerData: { maxResidentMB, maxCpuMs, maxWallMs, work, parent: process.ppid },
}).unref();

process.on('message', async ({ bytes }: { bytes: Uint8Array }) => {
  work[1] = cpuMs();
  work[0] = uptimeMs();
  const outcome = await readPdfHere(new Uint8Array(bytes));
  work[0] = 0;
  process.send?.({ outcome, residentBytes: process.memoryUsage.rss() });
});
process.on('disconnect', () => process.exit());
// pdf.js throws errors outside of any promise: the document is damaged, and the state of the library is unknown.
process.on('uncaughtException', () => {
  const outcome = { kind: 'refused', why: 'damaged file' } as const;
  process.send?.({ outcome, residentBytes: Number.MAX_SAFE_INTEGER }, () => process.exit());
});
