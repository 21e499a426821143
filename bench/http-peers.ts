import { parseArgs } from 'node:util';
import { filledFolder } from './answer-peers/fill-peer.ts';
import type { AnswerPeer } from './answer-peers/peer-process.ts';
import { installTantivy } from './engines/install.ts';
import { machine } from './engines/table.ts';
import { type Load, quantile } from './http/load.ts';
import { type Asked, loadInTurn } from './http/load-in-turn.ts';
import { inTurn, searchPath } from './http/paths.ts';
import { neverTheSame } from './http/queries.ts';
import { pagesOfFolder } from './http/searched-pages.ts';
import { startEngineRoute, startGleaner, unlimited } from './http/server.ts';
import { median } from './median.ts';
import { writeBlock } from './write-block.ts';

/** An engine in turn with the others. */
interface Engine extends Asked {
  readonly label: string;
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
  const { pages, queries } = await pagesOfFolder(data);
  const [connections, seconds, rounds] = [values.connections, values.seconds, values.rounds].map(Number) as [
    number,
    number,
    number,
  ];
  const engines: Engine[] = [];
  try {
    const nextPath = neverTheSame(queries);
    engines.push({ label: 'Gleaner', server: await startEngineRoute('gleaner', data), nextPath });
    engines.push({ label: '`gleaner serve`', server: await startGleaner(data, unlimited), nextPath });
    for (const name of peers) {
      const server = await startEngineRoute(name, await filledFolder(name, data));
      // They keep no answers.
      engines.push({ label: name, server, nextPath: inTurn(queries.map(searchPath)) });
    }
    const loads = await loadInTurn(engines, { connections, rounds, seconds, warmUpSeconds: seconds });
    const text = [
      `${pages.toLocaleString('en')} pages, ${queries.length} queries; ${machine()}; ${connections} connections, medians of ${rounds} rounds of ${seconds} seconds in turn.`,
      '',
      '| engine | searches a second | CPU ms of a search | a second of CPU | p50 ms | p99 ms |',
      '|---|--:|--:|--:|--:|--:|',
      ...engines.map(({ label }, at) => line(label, loads[at] ?? [])),
    ].join('\n');
    console.log(text);
    if (values.write) writeBlock('docs/performance.md', 'http-peers', text);
  } finally {
    for (const { server } of engines) await server.stop();
  }
}

function line(label: string, loads: readonly Load[]): string {
  const of = (value: (load: Load) => number): number => median(loads.map(value));
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
