import { Worker } from 'node:worker_threads';
import { readPdfHere } from './pdf-document.ts';

/** A process of its own: what a PDF does to memory or time ends with it, and nothing else does. */
const [maxResidentMB, maxBusyMs] = process.argv.slice(2).map(Number);
/** When the document under way came, in epoch milliseconds; 0 while there is none. */
const busySince = new Float64Array(new SharedArrayBuffer(8));
new Worker(new URL('./pdf-watch.js', import.meta.url), {
  workerData: { maxResidentMB, maxBusyMs, busySince, parent: process.ppid },
}).unref();

process.on('message', async ({ bytes }: { bytes: Uint8Array }) => {
  busySince[0] = Date.now();
  const outcome = await readPdfHere(new Uint8Array(bytes));
  busySince[0] = 0;
  process.send?.({ outcome, residentBytes: process.memoryUsage.rss() });
});
process.on('disconnect', () => process.exit());
// What pdf.js throws where nobody waits for it: the document is at fault, and the state of the library is unknown.
process.on('uncaughtException', () => {
  const outcome = { kind: 'refused', why: 'damaged file' } as const;
  process.send?.({ outcome, residentBytes: Number.MAX_SAFE_INTEGER }, () => process.exit());
});
