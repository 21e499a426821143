import { setTimeout as after } from 'node:timers/promises';
import { Pool } from 'undici';
import { createRandom } from '../engines/queries.ts';
import { notAskedBefore } from '../not-asked.ts';
import { quantile } from './load.ts';
import { searchPath } from './paths.ts';
import { startGleaner } from './server.ts';

export interface SoakOptions {
  readonly dataFolder: string;
  /** Each is asked many times, but never in the same words. */
  readonly queries: readonly string[];
  /** Such searches a second that the process can do. */
  readonly sustainable: number;
  readonly seconds: number;
}

/** The limits of the public tier, which the greedy clients run into. */
const rate = { perMinute: 60, burst: 20 };
const greedyClients = 5;
/** So often that each is past its share, though much of what it asks is turned away for want of time. */
const greedyPerSecond = (12 * rate.perMinute) / 60;
const tickMs = 5;
const connections = 256;
/** Maximum number of requests under way. Further ones are not sent: they would measure the generator. */
const mostUnderWay = 2000;

interface Tally {
  readonly statuses: Map<number, number>;
  /** Of answers of 200. */
  readonly latenciesMs: number[];
  /** Answers of 200 by greedy client. */
  readonly served: number[];
  withoutRetryAfter: number;
  failed: number;
  notSent: number;
}

/**
 * Twice as many searches a second as can be done, each from another address, answered or not, together with some
 * greedy addresses. Says what became of them, and of the memory.
 */
export async function soak({ dataFolder, queries, sustainable, seconds }: SoakOptions): Promise<string> {
  const server = await startGleaner(dataFolder, { GLEANER_TRUST_PROXY: '1' });
  const pool = new Pool(server.url, { connections });
  const random = createRandom(8);
  const tally: Tally = {
    statuses: new Map(),
    latenciesMs: [],
    served: Array<number>(greedyClients).fill(0),
    withoutRetryAfter: 0,
    failed: 0,
    notSent: 0,
  };
  const underWay = new Set<Promise<void>>();

  const perSecond = 2 * sustainable + greedyClients * greedyPerSecond;
  const greedyShare = (greedyClients * greedyPerSecond) / perSecond;
  const ask = async (): Promise<void> => {
    const greedy = random() < greedyShare ? Math.floor(random() * greedyClients) : -1;
    const address =
      greedy >= 0 ? `198.51.100.${greedy}` : `10.${byte(random)}.${byte(random)}.${byte(random)}`;
    const path = searchPath(notAskedBefore(queries[Math.floor(random() * queries.length)] ?? ''));
    const from = performance.now();
    try {
      const { statusCode, headers, body } = await pool.request({
        path,
        method: 'GET',
        headers: { 'x-forwarded-for': address },
      });
      await body.dump();
      tally.statuses.set(statusCode, (tally.statuses.get(statusCode) ?? 0) + 1);
      if (statusCode === 200) {
        tally.latenciesMs.push(performance.now() - from);
        if (greedy >= 0) tally.served[greedy] = (tally.served[greedy] ?? 0) + 1;
      } else if (!(Number(headers['retry-after']) >= 1)) tally.withoutRetryAfter += 1;
    } catch {
      tally.failed += 1;
    }
  };

  const memory: number[] = [];
  const from = performance.now();
  let sent = 0;
  for (let time = 0; time < seconds * 1000; time = performance.now() - from) {
    for (; sent < (time * perSecond) / 1000; sent++) {
      if (underWay.size >= mostUnderWay) {
        tally.notSent += 1;
        continue;
      }
      const asking: Promise<void> = ask().finally(() => underWay.delete(asking));
      underWay.add(asking);
    }
    if (memory.length < time / 1000) memory.push(server.residentMB());
    await after(tickMs);
  }
  await Promise.all(underWay);
  const elapsed = (performance.now() - from) / 1000;
  await pool.close();
  await server.stop();
  return describe(tally, { memory, elapsed, sustainable });
}

function describe(
  tally: Tally,
  { memory, elapsed, sustainable }: { memory: readonly number[]; elapsed: number; sustainable: number },
): string {
  const latencies = Float64Array.from(tally.latenciesMs).sort();
  const count = (status: number) => tally.statuses.get(status) ?? 0;
  const others = [...tally.statuses].filter(([status]) => ![200, 429, 503].includes(status));
  const each = (number: number) =>
    `${number.toLocaleString('en')} (${(number / elapsed).toFixed(0)} a second)`;
  const share = rate.burst + Math.floor((rate.perMinute * elapsed) / 60);
  const half = memory.slice(memory.length >> 1);
  return [
    `| in ${elapsed.toFixed(0)} seconds | |`,
    '|---|---|',
    `| searches that can be done, each for the first time | ${sustainable.toFixed(0)} a second |`,
    `| answered (200), each for the first time | ${each(count(200))} |`,
    `| of these: p50, p95, p99, longest | ${[0.5, 0.95, 0.99, 1].map((at) => quantile(latencies, at).toFixed(0)).join(', ')} ms |`,
    `| turned away: too much to do (503) | ${each(count(503))} |`,
    `| turned away: past the client's share (429) | ${each(count(429))} |`,
    `| other statuses; connections that failed; not sent | ${others.map(([status, times]) => `${times} of ${status}`).join(', ') || 'none'}; ${tally.failed}; ${tally.notSent} |`,
    `| 429 and 503 without \`Retry-After\` | ${tally.withoutRetryAfter} |`,
    `| most answers to one of ${greedyClients} greedy clients; its share | ${Math.max(...tally.served)}; ${share} |`,
    `| memory: after 10 seconds, most in the first half, most in the second, at the end | ${[memory[10] ?? Number.NaN, Math.max(...memory.slice(0, memory.length >> 1)), Math.max(...half), memory.at(-1) ?? Number.NaN].map((mb) => mb.toFixed(0)).join(', ')} MB |`,
  ].join('\n');
}

function byte(random: () => number): number {
  return Math.floor(random() * 256);
}
