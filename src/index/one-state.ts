import type { Pause } from '../async/time-slices.ts';
import type { Tiers } from './tiers.ts';

/**
 * Runs `work` over the index as it is at one moment. Where `work` yields, others may go on, if `pause` says so; if they
 * change the index, `work` begins again and runs to its end at once. Rejects as `work` and `pause` do.
 */
export async function overOneState<Result>(
  tiers: Pick<Tiers, 'version'>,
  pause: Pause | undefined,
  work: () => Generator<undefined, Result>,
): Promise<Result> {
  const version = tiers.version();
  const steps = work();
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    const paused = pause?.();
    if (!paused) continue;
    await paused;
    if (tiers.version() !== version) return atOnce(work());
  }
}

function atOnce<Result>(steps: Generator<undefined, Result>): Result {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}
