import { type EngineProcess, startEngine } from './engine-process.ts';
import { type Measured, reason } from './measure.ts';
import type { Answered, Opened } from './protocol.ts';
import type { BenchQuery } from './term-query.ts';

export interface SearchOptions {
  readonly queries: readonly BenchQuery[];
  readonly passes: number;
}

interface Player {
  readonly measured: Measured;
  readonly engine: EngineProcess;
  /** How long the first pass took. */
  passMs: number;
}

const sliceSize = 25;
/** Enough for V8 to compile what runs often. */
const warmingPasses = 3;
/** An engine that takes longer for a pass gets one pass to warm up and one that counts. */
const longestPassMs = 60_000;

/**
 * Opens every engine in a fresh process and asks all of them in turn, a slice of the queries at a time, so that what
 * else the machine does hits all alike. After the first pass memory is read.
 */
export async function searchAll(all: readonly Measured[], { queries, passes }: SearchOptions): Promise<void> {
  const players: Player[] = [];
  for (const measured of all) {
    const player = await open(measured);
    if (player) players.push(player);
  }
  for (let pass = 1 - warmingPasses; pass <= passes; pass++) {
    const isFirst = pass === 1 - warmingPasses;
    const taking = players.filter(({ passMs }) => passMs < longestPassMs || pass === 1);
    const answers = await playPass(taking, queries);
    for (const player of taking) {
      const answer = answers.get(player);
      if (player.measured.failed !== undefined || !answer) continue;
      const { measured } = player;
      if (pass > 0) measured.passes.push(answer.micros);
      if (!isFirst) continue;
      player.passMs = answer.tookMs;
      measured.totals = answer.totals;
      measured.memory = player.engine.memory();
    }
    console.error(pass > 0 ? `pass ${pass} of ${passes}` : 'warming up');
  }
  for (const { engine } of players) engine.end();
}

async function open(measured: Measured): Promise<Player | undefined> {
  if (measured.failed !== undefined) return undefined;
  const player: Player = { measured, engine: startEngine(measured.name), passMs: 0 };
  await guarded(player, 'open', async () => {
    const { openMs, openCpuMs } = await player.engine.ask<Opened>({ do: 'open', folder: measured.folder });
    measured.opened = { openMs, openCpuMs };
  });
  return measured.failed === undefined ? player : undefined;
}

interface PassAnswer {
  /** By the place of the query; not a number where the engine was not asked. */
  readonly totals: number[];
  readonly micros: number[];
  tookMs: number;
}

async function playPass(
  players: readonly Player[],
  queries: readonly BenchQuery[],
): Promise<Map<Player, PassAnswer>> {
  const answers = new Map(
    players.map((player): [Player, PassAnswer] => [player, { totals: [], micros: [], tookMs: 0 }]),
  );
  let first = 0;
  for (let at = 0; at < queries.length; at += sliceSize) {
    const slice = queries.slice(at, at + sliceSize);
    const order = [...players.slice(first), ...players.slice(0, first)];
    first = (first + 1) % Math.max(1, players.length);
    for (const player of order) await playSlice(player, slice, answers.get(player) as PassAnswer);
  }
  return answers;
}

async function playSlice(player: Player, slice: readonly BenchQuery[], answer: PassAnswer): Promise<void> {
  await guarded(player, 'search', async () => {
    const asked = askable(player.measured.name, slice);
    const started = performance.now();
    const { totals, micros } = await player.engine.ask<Answered>({ do: 'ask', queries: asked });
    answer.tookMs += performance.now() - started;
    for (const query of slice) {
      const at = asked.indexOf(query);
      answer.totals.push(totals[at] ?? Number.NaN);
      answer.micros.push(micros[at] ?? Number.NaN);
    }
  });
}

/** An engine that fails once is out of the game. */
async function guarded({ measured, engine }: Player, step: string, work: () => Promise<void>): Promise<void> {
  if (measured.failed !== undefined) return;
  try {
    await work();
  } catch (error) {
    measured.failed = `${step}: ${reason(error)}`;
    console.error(`${measured.name}: ${measured.failed}`);
    engine.end();
  }
}

/** FlexSearch and Orama have no operators; they are asked the plain queries alone. */
function askable(name: string, queries: readonly BenchQuery[]): readonly BenchQuery[] {
  return name === 'flexsearch' || name === 'orama' ? queries.filter(({ plain }) => plain) : queries;
}
