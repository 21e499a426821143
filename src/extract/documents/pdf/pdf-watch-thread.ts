import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { type PdfLimits, type PdfWork, tooLongMark, usedUp } from './pdf-watch.ts';

interface Watched extends PdfLimits {
  readonly work: PdfWork;
  readonly parent: number;
}

const { work, parent, ...limits } = workerData as Watched;
const everyMs = 50;
const standardError = 2;

/**
 * Ends the process from a separate thread, because unpacking a stream blocks the main one: when it uses too much memory
 * (buffers are outside of the heap, which has its own limit), when it has worked or waited for too long, or when its parent
 * is gone.
 */
setInterval(() => {
  const what = usedUp(work, limits);
  if (what === undefined && process.ppid === parent) return;
  if (what === 'time') tellParent();
  process.kill(process.pid, 'SIGKILL');
}, everyMs);

function tellParent(): void {
  try {
    writeSync(standardError, tooLongMark);
  } catch {
    // The parent is gone.
  }
}
