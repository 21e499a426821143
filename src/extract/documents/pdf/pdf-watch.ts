/** The work on a PDF, shared with the thread that watches it: its start as `uptimeMs` (0 while idle), and `cpuMs` at the start. */
export type PdfWork = Float64Array;

export interface PdfLimits {
  /** All memory of the process. */
  readonly maxResidentMB: number;
  /** Processor time of all threads for one document. */
  readonly maxCpuMs: number;
  /** Time on a clock for one document. */
  readonly maxWallMs: number;
}

/** Written to standard error before the process ends itself, so that its parent knows the reason on any system. */
export const tooLongMark = 'gleaner: takes too long';

/** A monotonic clock that is the same in every thread. */
export function uptimeMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

/** Processor time of the process, over all threads. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The limit that a document has exceeded; undefined while it is within its limits. */
export function usedUp(work: PdfWork, limits: PdfLimits): 'memory' | 'time' | undefined {
  if (process.memoryUsage.rss() > limits.maxResidentMB * 1024 * 1024) return 'memory';
  const [since = 0, cpuBefore = 0] = work;
  if (since === 0) return undefined;
  const isLate = cpuMs() - cpuBefore > limits.maxCpuMs || uptimeMs() - since > limits.maxWallMs;
  return isLate ? 'time' : undefined;
}
