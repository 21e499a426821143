import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../runtime.ts';

/** A search that takes longer yields to the event loop. */
export const sliceMs = 8;

/** Called between two pieces of work, such as results or segments: yields to the event loop if the current slice is over. */
export type Pause = () => Promise<void> | undefined;

export interface TimeSlicesOptions {
  /** Checked after each yield, because the client may have gone; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
  /** A monotonic clock in milliseconds. */
  readonly now?: Clock;
}

/** Splits work with pauses into slices of about `sliceMs`. The first slice begins now. */
export function createTimeSlices({
  signal,
  now = performance.now.bind(performance),
}: TimeSlicesOptions = {}): Pause {
  let began = now();

  const giveWay = async (): Promise<void> => {
    await setImmediate();
    signal?.throwIfAborted();
    began = now();
  };

  return () => (now() - began < sliceMs ? undefined : giveWay());
}
