import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as after, setImmediate as nextTurn } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { AddressBlock } from '../src/limits/address-block.ts';
import { createAdmissionControl } from '../src/limits/admission.ts';
import { seededRandom } from './page-source.ts';

const rates = {
  search: { perMinute: 60, burst: 20 },
  content: { perMinute: 120, burst: 40 },
  fallback: { perMinute: 10, burst: 5 },
};
const perTurn = 100;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/**
 * What does a flood of addresses cost? `--clients 1000000` distinct ones ask once each within one interval, so that
 * none of them can be forgotten; then time goes on, and all of them are.
 */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { clients: { type: 'string', default: '1000000' } } });
  const clients = Number(values.clients);
  let time = 1000;
  const control = createAdmissionControl({ ...rates, inFlight: 4, maxInFlight: 256, now: () => time });
  const random = seededRandom(1);
  const anyNetwork = (): AddressBlock => ({
    high: 0x20000000 + Math.floor(random() * 2 ** 29),
    low: Math.floor(random() * 2 ** 32),
  });
  const ask = (block: AddressBlock): void => {
    const admission = control.admit({ kind: 'address', block }, 'search');
    if (admission.kind === 'admitted') admission.release();
  };
  let longestMs = 0;
  /** Notes the CPU time of the longest piece: on a busy machine the clock also counts what others do. */
  const piece = (work: () => void): void => {
    const from = cpuMs();
    work();
    longestMs = Math.max(longestMs, cpuMs() - from);
  };

  const before = await memory();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const cpu = cpuMs();
  for (let asked = 0; asked < clients; asked += perTurn) {
    piece(() => {
      for (let more = 0; more < perTurn; more++) ask(anyNetwork());
    });
    // All within 20 ms of the limiter's clock: no bucket is full again before the last one has come.
    time += (20 * perTurn) / clients;
    await nextTurn();
  }
  const microseconds = ((cpuMs() - cpu) * 1000) / clients;
  console.log(
    `${control.stats().clients.search.toLocaleString('en')} clients: ${((await memory()) - before).toFixed(1)} MB more; ` +
      `${microseconds.toFixed(2)} µs of CPU a request, the longest ${perTurn} took ${longestMs.toFixed(2)} ms of CPU, ` +
      `the longest stall of the event loop was ${(delay.max / 1e6).toFixed(1)} ms`,
  );

  longestMs = 0;
  delay.reset();
  for (let second = 0; second < 60; second++) {
    time += 1000;
    piece(() => ask(anyNetwork()));
    await nextTurn();
  }
  delay.disable();
  console.log(
    `a quiet minute later: ${control.stats().clients.search} clients, ${((await memory()) - before).toFixed(1)} MB more; ` +
      `the longest request took ${longestMs.toFixed(2)} ms of CPU, the longest stall ${(delay.max / 1e6).toFixed(1)} ms`,
  );
}

/** Heap and typed arrays that are in use, in MB. */
async function memory(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    collectGarbage();
    await after(50);
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
