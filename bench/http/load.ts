import autocannon from 'autocannon';
import type { Server } from './server.ts';

export interface LoadOptions {
  readonly server: Server;
  /** What to ask next, by whichever connection is free. */
  readonly nextPath: () => string;
  readonly connections: number;
  /** How long, or how many requests in all. */
  readonly seconds?: number;
  readonly amount?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Load {
  readonly perSecond: number;
  /** Of the server, for each request. */
  readonly cpuMs: number;
  /** How often each status came. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Of answers of 200 and 304, ascending. */
  readonly latenciesMs: Float64Array;
}

/** Asks over connections that are kept open, each with its next request as soon as it has its answer. */
export async function load({
  server,
  nextPath,
  connections,
  seconds,
  amount,
  headers,
}: LoadOptions): Promise<Load> {
  const statuses = new Map<number, number>();
  const latencies: number[] = [];
  const cpuBefore = server.cpuMs();
  const from = performance.now();
  const asked: autocannon.Options = {
    url: server.url,
    connections,
    ...(amount === undefined ? { duration: seconds ?? 10 } : { amount }),
    ...(headers && { headers: { ...headers } }),
    requests: [{ setupRequest: (request) => ({ ...request, method: 'GET', path: nextPath() }) }],
  };
  const { errors, timeouts } = await new Promise<autocannon.Result>((resolve, reject) => {
    const running = autocannon(asked, (error, result) => (error ? reject(error) : resolve(result)));
    running.on('response', (_client, status, _bytes, tookMs) => {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 200 || status === 304) latencies.push(tookMs);
    });
  });
  if (errors + timeouts > 0) throw new Error(`${errors} errors and ${timeouts} time-outs`);
  const answered = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  return {
    perSecond: (latencies.length / (performance.now() - from)) * 1000,
    cpuMs: (server.cpuMs() - cpuBefore) / answered,
    statuses,
    latenciesMs: Float64Array.from(latencies).sort(),
  };
}

/** Nearest rank over ascending values. */
export function quantile(ascending: Float64Array, share: number): number {
  return ascending[Math.max(0, Math.ceil(share * ascending.length) - 1)] ?? Number.NaN;
}
