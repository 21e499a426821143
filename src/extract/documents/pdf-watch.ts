import { workerData } from 'node:worker_threads';

interface Watched {
  readonly maxResidentMB: number;
  readonly maxBusyMs: number;
  readonly busySince: Float64Array;
  readonly parent: number;
}

const { maxResidentMB, maxBusyMs, busySince, parent } = workerData as Watched;
const everyMs = 50;

/**
 * Ends the process from a thread of its own, because what unpacks a stream never gives its thread away: when it holds
 * more memory than it may (buffers are outside the heap, which has a limit already), or when nobody waits any more.
 */
setInterval(() => {
  const [since = 0] = busySince;
  const isTooMuch = process.memoryUsage.rss() > maxResidentMB * 1024 * 1024;
  const isForgotten = (since > 0 && Date.now() - since > maxBusyMs) || process.ppid !== parent;
  if (isTooMuch || isForgotten) process.kill(process.pid, 'SIGKILL');
}, everyMs);
