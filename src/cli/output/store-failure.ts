import type { StoreFailure } from '../../crawl/crawl-tally.ts';
import { storeFailureStatus } from '../../main.ts';

/** Says on stderr why a command ended early, and sets its exit status. */
export function endWithStoreFailure({ message }: StoreFailure): void {
  process.stderr.write(`gleaner: ${message}\nEnded early: the same command goes on where it was.\n`);
  process.exitCode = storeFailureStatus;
}

export function sayOnStderr(line: string): void {
  process.stderr.write(`${line}\n`);
}
