import { Worker } from 'node:worker_threads';
import { readPdfHere } from './pdf-document.ts';
import { cpuMs, type PdfWork, uptimeMs } from './pdf-watch.ts';

/** A process of its own: what a PDF does to memory or time ends with it, and nothing else does. */
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
// What pdf.js throws where nobody waits for it: the document is at fault, and the state of the library is unknown.
process.on('uncaughtException', () => {
  const outcome = { kind: 'refused', why: 'damaged file' } as const;
  process.send?.({ outcome, residentBytes: Number.MAX_SAFE_INTEGER }, () => process.exit());
});
