import type { WriterApp } from '../app/writer-app.ts';
import type { StoreFailure } from '../crawl/crawl-tally.ts';
import { stoppedStatus, storeFailureStatus } from './exit-status.ts';
import { sayOnStderr } from './output/say.ts';
import { dropOwnDocs } from './own-docs.ts';

/** What a crawl and an import have in common at their end. */
interface WritingSummary {
  readonly stored: number;
  readonly stopped: boolean;
  readonly storeFailure?: StoreFailure;
}

interface Ending {
  /** Whether the command ran to its end and yet did not do what it was for. */
  readonly isFailure: boolean;
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
  { isFailure, signal }: Ending,
): Promise<void> {
  if (storeFailure) {
    sayOnStderr(`gleaner: ${storeFailure.message}\nEnded early: the same command goes on where it was.`);
    process.exitCode = storeFailureStatus;
    return;
  }
  if (stored > 0) await dropOwnDocs(store);
  if (!stopped) await pageWriter.settled();
  if (stopped) process.exitCode = stoppedStatus;
  else if (isFailure) process.exitCode = 1;
  await packing.packRest(signal);
}
