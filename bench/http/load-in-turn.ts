import { type Load, type LoadOptions, load } from './load.ts';

/** What one server is asked. */
export interface Asked extends Pick<LoadOptions, 'server' | 'nextPath' | 'headers'> {
  /** Number of requests that are sent, one after the other, before each round. */
  readonly before?: number;
}

export interface InTurnOptions {
  readonly connections: number;
  readonly rounds: number;
  /** Of a round. */
  readonly seconds: number;
  /** Of the round before the others, which warms up and is not measured. */
  readonly warmUpSeconds?: number;
}

/** The rounds of each server, all asked in turn: a busy machine hits all of a round alike. */
export async function loadInTurn(
  all: readonly Asked[],
  { connections, rounds, seconds, warmUpSeconds = 2 }: InTurnOptions,
): Promise<Load[][]> {
  const measured = all.map((): Load[] => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [at, { server, nextPath, headers, before = 0 }] of all.entries()) {
      const request = { server, nextPath, ...(headers && { headers }) };
      if (before > 0) await load({ ...request, connections: 1, amount: before });
      const once = await load({ ...request, connections, seconds: round === 0 ? warmUpSeconds : seconds });
      if (round > 0) measured[at]?.push(once);
    }
  }
  return measured;
}
