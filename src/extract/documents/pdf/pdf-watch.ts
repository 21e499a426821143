/** What a process does with a PDF, shared with the thread that watches it: since when (`uptimeMs`; 0 while it has none), and `cpuMs` then. */
export type PdfWork = Float64Array;

export interface PdfLimits {
  /** All of the process's memory. */
  readonly maxResidentMB: number;
  /** Processor time of all threads for one document. */
  readonly maxCpuMs: number;
  /** Time on a clock for one document. */
  readonly maxWallMs: number;
}

/** Written to the process's standard error before it ends itself, so that its parent knows why on any system. */
export const tooLongMark = 'gleaner: takes too long';

/** On a clock that every thread reads alike and nobody sets. */
export function uptimeMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

/** The process's, over all of its threads. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** What a document has used up; undefined while it is within its limits. */
export function usedUp(work: PdfWork, limits: PdfLimits): 'memory' | 'time' | undefined {
  if (process.memoryUsage.rss() > limits.maxResidentMB * 1024 * 1024) return 'memory';
  const [since = 0, cpuBefore = 0] = work;
  if (since === 0) return undefined;
  const isLate = cpuMs() - cpuBefore > limits.maxCpuMs || uptimeMs() - since > limits.maxWallMs;
  return isLate ? 'time' : undefined;
}
