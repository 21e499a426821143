import { parseArgs } from 'node:util';
import { machine } from './engines/table.ts';
import type { Load } from './http/load.ts';
import { loadInTurn } from './http/load-in-turn.ts';
import { neverTheSame } from './http/queries.ts';
import { searchedPages } from './http/searched-pages.ts';
import { type Server, startGleaner, unlimited } from './http/server.ts';
import { median } from './median.ts';

interface Measured {
  readonly workers: number;
  readonly server: Server;
  readonly rounds: Load[];
}

/**
 * What do more workers bring? Searches that were never asked, of 1 worker (the single process) and of 2, in turn.
 * `--pages 100000` or `--data FOLDER`, `--connections 4`, `--seconds 10` a round, `--rounds 3`.
 */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      pages: { type: 'string', default: '100000' },
      data: { type: 'string' },
      connections: { type: 'string', default: '4' },
      seconds: { type: 'string', default: '10' },
      rounds: { type: 'string', default: '3' },
    },
  });
  const { dataFolder, pages, queries } = await searchedPages(values);
  const nextPath = neverTheSame(queries);
  const all: Omit<Measured, 'rounds'>[] = [];
  try {
    for (const workers of [1, 2]) {
      // Decisions about clients are asked for without limits, too.
      const settings = { ...unlimited, GLEANER_WORKERS: String(workers) };
      all.push({ workers, server: await startGleaner(dataFolder, settings) });
    }
    const loads = await loadInTurn(
      all.map(({ server }) => ({ server, nextPath })),
      {
        connections: Number(values.connections),
        rounds: Number(values.rounds),
        seconds: Number(values.seconds),
      },
    );
    const measured = all.map((one, at): Measured => ({ ...one, rounds: loads[at] ?? [] }));
    console.log(`${pages.toLocaleString('en')} pages; ${machine()}.\n\n${table(measured)}`);
  } finally {
    for (const { server } of all) await server.stop();
  }
}

function table(all: readonly Measured[]): string {
  const rateOf = ({ rounds }: Measured) => median(rounds.map(({ perSecond }) => perSecond));
  const [alone] = all;
  const rows = all.map((measured) => {
    const { workers, server, rounds } = measured;
    const cpuMs = median(rounds.map((round) => round.cpuMs));
    const ratio = alone ? rateOf(measured) / rateOf(alone) : Number.NaN;
    const memory = [server.residentMB(), ...server.childrenMB()].map((megabytes) => megabytes.toFixed(0));
    return `| ${workers} | ${rateOf(measured).toFixed(0)} | ${ratio.toFixed(2)} | ${cpuMs.toFixed(2)} | ${memory.join(', ')} |`;
  });
  return [
    '| workers | answers a second | of one | CPU ms of all processes for each | MB of each process |',
    '|--:|--:|--:|--:|---|',
    ...rows,
  ].join('\n');
}
