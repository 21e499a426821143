import type { Inspection } from './inspect-folder.ts';

/** A page of a slot in a version, or its removal. */
export type State = number | 'removed';

/** What became of the acknowledged operations of a storm. */
export interface Verdict {
  /** Slots whose acknowledged state, or a later one, is not in the store. */
  readonly lost: number;
  /** Slots with a text that was never written, or that a search does not find, or finds although it was removed. */
  readonly wrong: number;
}

/**
 * What a writer has begun and what it has acknowledged, slot by slot. A slot may be in its acknowledged state or in any
 * state that was begun later.
 */
export function createLedger() {
  const acknowledged = new Map<number, State>();
  const begun = new Map<number, State[]>();
  let count = 0;

  return {
    begin(slot: number, state: State): void {
      begun.set(slot, [...(begun.get(slot) ?? []), state]);
    },
    acknowledge(slot: number, state: State): void {
      count++;
      acknowledged.set(slot, state);
      const states = begun.get(slot) ?? [];
      begun.set(slot, states.slice(states.indexOf(state) + 1));
    },
    /** How many operations were acknowledged. */
    count: () => count,
    /** Holds what a folder says against what was acknowledged. What was found becomes the acknowledged state. */
    judge({ pages, wrongSlots }: Inspection): Verdict {
      const found = new Map<number, State>(pages);
      let lost = 0;
      let wrong = wrongSlots.length;
      for (const slot of new Set([...acknowledged.keys(), ...begun.keys(), ...found.keys()])) {
        const state = found.get(slot) ?? 'removed';
        const last = acknowledged.get(slot) ?? 'removed';
        if (state === last || (begun.get(slot) ?? []).includes(state)) acknowledged.set(slot, state);
        else if (wrongSlots.includes(slot)) continue;
        else if (state === 'removed' || typeof last === 'number') lost++;
        else wrong++;
      }
      begun.clear();
      return { lost, wrong };
    },
  };
}

export type Ledger = ReturnType<typeof createLedger>;
