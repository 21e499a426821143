/** What one kind of fault did, over all of its trials. */
export interface StormRow {
  readonly storm: string;
  readonly faults: number;
  /** Operations or pages that were acknowledged before or between the faults. */
  readonly acknowledged: number;
  /** Of these, what was gone without a word. */
  readonly lost: number;
  /** Texts that were never written, and searches that say other than the store. */
  readonly wrong: number;
  /** Processes that ended by a signal or with a stack trace, or that never ended or answered. */
  readonly died: number;
  /** What else is worth saying, in a few words. */
  readonly note: string;
}

export interface StormOptions {
  readonly faults: number;
  /** A folder of this storm alone. */
  readonly folder: string;
  readonly random: () => number;
}

export type Storm = (options: StormOptions) => Promise<StormRow>;

/** A whole number of at least `min`, below `max`. */
export function between(random: () => number, min: number, max: number): number {
  return min + Math.floor(random() * (max - min));
}
