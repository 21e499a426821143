import type { Pause } from './time-slices.ts';

/**
 * Runs work step by step. After a step, others may go on: if the step gave something to wait for, or if `pause` says so.
 * Rejects as the work, what it waits for, and `pause` do.
 */
export async function runSteps<Result>(
  steps: Generator<Promise<void> | undefined, Result>,
  pause: Pause = () => undefined,
): Promise<Result> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    const waiting = step.value ?? pause();
    if (waiting) await waiting;
  }
}
