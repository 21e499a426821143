/**
 * The phases of a search, in their order: finding matches, reranking the best, making results, external search. A search
 * with a cached local answer has only the last phase.
 */
const searchPhases = ['match', 'rerank', 'results', 'web'] as const;
export type SearchPhase = (typeof searchPhases)[number];

/** Called with the duration of each phase of each search, in milliseconds. */
export type OnPhase = (phase: SearchPhase, tookMs: number) => void;

/** Marks the end of a phase. */
export type EndPhase = (phase: SearchPhase) => void;

/** Starts the measurement of one search; its first phase begins now. */
export function startPhaseTimer(onPhase: OnPhase | undefined): EndPhase {
  if (onPhase === undefined) return () => {};
  let last = performance.now();
  return (phase) => {
    const time = performance.now();
    onPhase(phase, time - last);
    last = time;
  };
}
