export interface ImportCounts {
  readonly stored: number;
  readonly unchanged: number;
  readonly refused: number;
}

interface ImportTallyOptions {
  /** What became of one document: `stored`, `unchanged`, or why it was refused. */
  readonly onOutcome: ((what: string, url: string) => void) | undefined;
}

/** Counts what became of the documents of one import. */
export function createImportTally({ onOutcome }: ImportTallyOptions) {
  const counts = { stored: 0, unchanged: 0, refused: 0 };
  const reasons = new Map<string, number>();
  return {
    count(kind: 'stored' | 'unchanged', url: string): void {
      counts[kind] += 1;
      onOutcome?.(kind, url);
    },
    refuse(why: string, url: string): void {
      onOutcome?.(why, url);
      reasons.set(why, (reasons.get(why) ?? 0) + 1);
      counts.refused += 1;
    },
    counts: (): ImportCounts => ({ ...counts }),
    /** Reason -> how many documents. */
    refused: (): Readonly<Record<string, number>> => Object.fromEntries(reasons),
  };
}

export type ImportTally = ReturnType<typeof createImportTally>;
