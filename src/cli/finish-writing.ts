import type { WriterApp } from '../app/writer-app.ts';
import type { StoreFailure } from '../crawl/crawl-tally.ts';
import { ioFailureStatus, stoppedStatus } from './exit-status.ts';
import { printableLine } from './output/printable.ts';
import { sayOnStderr } from './output/say.ts';
import { dropOwnDocs } from './own-docs.ts';

/** Printed when a signal ends a crawl or an import. */
export const stopping =
  'Stopping: what was read is being stored. Once more ends at once; nothing stored is lost.';

/** What a crawl and an import have in common at their end. */
interface WritingSummary {
  readonly stored: number;
  readonly stopped: boolean;
  readonly storeFailure?: StoreFailure;
}

interface Ending {
  /** Why a command that ran to its end did not do what it was for, in one line. */
  readonly failure: string | undefined;
  /** Ends the packing. */
  readonly signal: AbortSignal;
}

/**
 * Ends a command that wrote pages, after its summary is printed: sets the exit status, takes our own documentation out of
 * an index that has other pages now, and packs what is left.
 */
export async function finishWriting(
  { store, pageWriter, packing }: WriterApp,
  { stored, stopped, storeFailure }: WritingSummary,
  { failure, signal }: Ending,
): Promise<void> {
  if (storeFailure) {
    sayOnStderr(`gleaner: ${storeFailure.message}\nEnded early: the same command goes on where it was.`);
    process.exitCode = ioFailureStatus;
    return;
  }
  if (stored > 0) await dropOwnDocs(store);
  if (!stopped) await pageWriter.settled();
  if (stopped) process.exitCode = stoppedStatus;
  else if (failure !== undefined) {
    sayOnStderr(`gleaner: ${printableLine(failure)}`);
    process.exitCode = 1;
  }
  await packing.packRest(signal);
}
