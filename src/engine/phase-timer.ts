/**
 * The parts of a search, in their order: finding matches, ordering the best anew, making results of them, asking the
 * web. A search whose local answer is kept has the last alone.
 */
const searchPhases = ['match', 'rerank', 'results', 'web'] as const;
export type SearchPhase = (typeof searchPhases)[number];

/** Told how long each phase of each search took, in milliseconds. */
export type OnPhase = (phase: SearchPhase, tookMs: number) => void;

/** Says that a phase has ended just now. */
export type EndPhase = (phase: SearchPhase) => void;

/** Measures one search, from now on. */
export function startPhaseTimer(onPhase: OnPhase | undefined): EndPhase {
  if (onPhase === undefined) return () => {};
  let last = performance.now();
  return (phase) => {
    const time = performance.now();
    onPhase(phase, time - last);
    last = time;
  };
}
