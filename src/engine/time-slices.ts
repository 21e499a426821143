import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../runtime.ts';

/** A search that goes on for longer lets others have their turn of the event loop. */
export const sliceMs = 8;

/** Called between two results: waits for the next turn of the event loop where this one has lasted long enough. */
export type Pause = () => Promise<void> | undefined;

export interface TimeSlicesOptions {
  /** Looked at after each turn that was given away, when whoever asked may have gone; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that only go forward. */
  readonly now?: Clock;
}

/** Cuts work that has pauses into slices of about `sliceMs`, the first of which begins now. */
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
