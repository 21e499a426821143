import { parseArgs } from 'node:util';
import { filledFolder } from './answer-peers/fill-peer.ts';
import type { AnswerPeer } from './answer-peers/peer-process.ts';
import { installTantivy } from './engines/install.ts';
import { machine } from './engines/table.ts';
import { type Load, load, quantile } from './http/load.ts';
import { inTurn, searchPath } from './http/paths.ts';
import { neverTheSame } from './http/queries.ts';
import { searchedPages } from './http/searched-pages.ts';
import { type Server, startEngineRoute, startGleaner, unlimited } from './http/server.ts';
import { writeBlock } from './write-block.ts';

/** An engine in turn with the others. */
interface Engine {
  readonly label: string;
  readonly server: Server;
  readonly nextPath: () => string;
}

const peers: readonly AnswerPeer[] = ['tantivy', 'fts5'];

/**
 * How many searches a second does an engine answer behind the same Hono route, and what CPU do they take: Gleaner, Tantivy
 * with its snippets, FTS5 with `snippet()`? And how much of it does `gleaner serve` add? No engine has the answer from
 * before. `--data FOLDER` is needed; `--connections 4`, `--seconds 10` a round, `--rounds 3`; `--write` puts the table into
 * docs/performance.md.
 */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      data: { type: 'string' },
      connections: { type: 'string', default: '4' },
      seconds: { type: 'string', default: '10' },
      rounds: { type: 'string', default: '3' },
      write: { type: 'boolean', default: false },
    },
  });
  const { data } = values;
  if (data === undefined) throw new Error('--data FOLDER is needed');
  if (!installTantivy()) throw new Error('Tantivy cannot be installed by pip');
  const folders: string[] = [];
  for (const name of peers) folders.push(await filledFolder(name, data));
  const { pages, queries } = await searchedPages({ pages: '', data });
  const [connections, seconds, rounds] = [values.connections, values.seconds, values.rounds].map(Number) as [
    number,
    number,
    number,
  ];
  const engines: Engine[] = [];
  try {
    const ours = neverTheSame(queries);
    engines.push(
      {
        label: 'Gleaner',
        server: await startEngineRoute('gleaner', data),
        nextPath: ours,
      },
      { label: '`gleaner serve`', server: await startGleaner(data, unlimited), nextPath: ours },
    );
    for (const [at, name] of peers.entries())
      engines.push({
        label: name,
        server: await startEngineRoute(name, folders[at] as string),
        nextPath: inTurn(queries.map(searchPath)),
      });
    const loads = await inRounds(engines, { connections, seconds, rounds });
    const text = [
      `${pages.toLocaleString('en')} pages, ${queries.length} queries; ${machine()}; ${connections} connections, medians of ${rounds} rounds of ${seconds} seconds in turn.`,
      '',
      '| engine | searches a second | CPU ms of a search | a second of CPU | p50 ms | p99 ms |',
      '|---|--:|--:|--:|--:|--:|',
      ...engines.map(({ label }, at) => line(label, loads[at] as Load[])),
    ].join('\n');
    console.log(text);
    if (values.write) writeBlock('docs/performance.md', 'http-peers', text);
  } finally {
    for (const { server } of engines) await server.stop();
  }
}

/** The first round warms up, and lasts as long as the others; a busy machine hits all engines of a round alike. */
async function inRounds(
  engines: readonly Engine[],
  { rounds, ...options }: { readonly connections: number; readonly seconds: number; readonly rounds: number },
): Promise<Load[][]> {
  const loads = engines.map((): Load[] => []);
  for (let round = 0; round <= rounds; round++)
    for (const [at, { server, nextPath }] of engines.entries()) {
      const once = await load({ ...options, server, nextPath });
      if (round > 0) loads[at]?.push(once);
    }
  return loads;
}

function line(label: string, loads: readonly Load[]): string {
  const of = (value: (load: Load) => number): number =>
    quantile(Float64Array.from(loads.map(value)).sort(), 0.5);
  const cpuMs = of((once) => once.cpuMs);
  const figures = [
    Math.round(of(({ perSecond }) => perSecond)),
    cpuMs.toFixed(2),
    Math.round(1000 / cpuMs),
    of(({ latenciesMs }) => quantile(latenciesMs, 0.5)).toFixed(1),
    of(({ latenciesMs }) => quantile(latenciesMs, 0.99)).toFixed(1),
  ];
  return `| ${[label, ...figures].join(' | ')} |`;
}
