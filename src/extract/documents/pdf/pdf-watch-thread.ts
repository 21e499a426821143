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
 * Ends the process from a thread of its own, because what unpacks a stream never gives its thread away: when it holds
 * more memory than it may (buffers are outside the heap, which has a limit already), when it has worked or waited for
 * too long, or when its parent is gone.
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
