import { parseArgs } from 'node:util';
import type { SearchResponse } from '../src/contract/search.ts';
import { machine } from './engines/table.ts';
import { type Load, load, quantile } from './http/load.ts';
import { type Asked, loadInTurn } from './http/load-in-turn.ts';
import { inTurn, searchPath } from './http/paths.ts';
import { neverTheSame } from './http/queries.ts';
import { searchedPages } from './http/searched-pages.ts';
import { type Server, startBare, startGleaner, unlimited } from './http/server.ts';
import { soak } from './http/soak.ts';
import { median } from './median.ts';
import { writeBlock } from './write-block.ts';

/** Requests that may wait however long a search takes. With more, rejections would be measured. */
const mayAlwaysWait = '4';

/**
 * How much does one process serve? `--pages 100000`, or the pages of another data folder with `--data FOLDER`;
 * `--connections 4`, `--seconds 10` a round, `--rounds 3`; `--soak` asks for `--soak-seconds 300` twice as much as it can
 * do; `--write` puts the tables into docs/performance.md, that of another number of pages with `--table NAME`.
 */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      pages: { type: 'string', default: '100000' },
      data: { type: 'string' },
      connections: { type: 'string', default: mayAlwaysWait },
      seconds: { type: 'string', default: '10' },
      rounds: { type: 'string', default: '3' },
      soak: { type: 'boolean', default: false },
      'soak-seconds': { type: 'string', default: '300' },
      write: { type: 'boolean', default: false },
      table: { type: 'string', default: 'http' },
    },
  });
  const { dataFolder, pages, queries } = await searchedPages(values);
  const about = `${pages.toLocaleString('en')} pages, ${queries.length} queries; ${machine()}`;
  const report = (mark: string, text: string) => {
    console.log(text);
    if (values.write) writeBlock('docs/performance.md', mark, text);
  };
  const [connections, seconds, rounds] = [values.connections, values.seconds, values.rounds].map(Number) as [
    number,
    number,
    number,
  ];
  if (values.soak) {
    const sustainable = await sustainableRate(dataFolder, { queries, connections, seconds });
    const result = await soak({ dataFolder, queries, sustainable, seconds: Number(values['soak-seconds']) });
    report('soak', `${about}.\n\n${result}`);
  } else {
    const options = { connections, seconds, rounds, queries };
    const shape = `${connections} connections, medians of ${rounds} rounds of ${seconds} seconds in turn`;
    report(values.table, `${about}; ${shape}.\n\n${await compare(dataFolder, options)}`);
  }
}

/** So few that all of them are asked again before the service forgets its answers. */
const askedBefore = 50;

interface Rounds {
  readonly queries: readonly string[];
  readonly connections: number;
  readonly seconds: number;
  readonly rounds: number;
}

async function compare(
  dataFolder: string,
  { queries, connections, seconds, rounds }: Rounds,
): Promise<string> {
  const paths = queries.map(searchPath);
  const first = await startGleaner(dataFolder, unlimited);
  const cold = await load({
    server: first,
    nextPath: inTurn(paths),
    connections: 1,
    amount: paths.length,
  });
  const example = await (await fetch(`${first.url}${paths[0]}`)).text();
  await first.stop();

  const gleaner = await startGleaner(dataFolder, unlimited);
  const bare = await startBare(example);
  try {
    const ids = await someIds(gleaner, paths);
    const etag = (await fetch(`${gleaner.url}${paths[0]}`)).headers.get('etag') ?? '';
    const known = { server: gleaner, nextPath: inTurn(paths.slice(0, askedBefore)), before: askedBefore };
    const rows: Row[] = [
      {
        label: 'bare Hono route, the answer of a search',
        server: bare,
        nextPath: () => '/',
      },
      { label: '`/healthz`', server: gleaner, nextPath: () => '/healthz' },
      { label: 'search, each for the first time', server: gleaner, nextPath: neverTheSame(queries) },
      { label: 'search, asked before', ...known },
      { label: 'search, asked before, gzip', ...known, headers: { 'accept-encoding': 'gzip' } },
      {
        label: 'search, asked before, that the client has (304)',
        server: gleaner,
        nextPath: inTurn(paths.slice(0, 1)),
        before: 1,
        headers: { 'if-none-match': etag },
      },
      { label: 'content', server: gleaner, nextPath: inTurn(ids.map((id) => `/api/v1/content/${id}`)) },
    ];
    const measured = await loadInTurn(rows, { connections, rounds, seconds });
    const bareRate = median((measured[0] ?? []).map(({ perSecond }) => perSecond));
    return [
      '| requests | a second | of the bare route | p50 ms | p99 ms | longest ms | CPU ms of the server | turned away |',
      '|---|--:|--:|--:|--:|--:|--:|--:|',
      `| search, one after the other, each for the first time after the start | ${line([cold], bareRate)} |`,
      ...rows.map(({ label }, at) => `| ${label} | ${line(measured[at] ?? [], bareRate)} |`),
      '',
      `Resident memory of the server at the end: ${gleaner.residentMB().toFixed(0)} MB.`,
    ].join('\n');
  } finally {
    await gleaner.stop();
    await bare.stop();
  }
}

interface Row extends Asked {
  readonly label: string;
}

function line(loads: readonly Load[], bareRate: number): string {
  const of = (value: (load: Load) => number): number => median(loads.map(value));
  const perSecond = of((load) => load.perSecond);
  const turnedAway = loads.reduce((sum, { statuses }) => sum + (statuses.get(503) ?? 0), 0);
  return [
    Math.round(perSecond).toLocaleString('en'),
    `${((perSecond / bareRate) * 100).toFixed(0)} %`,
    of(({ latenciesMs }) => quantile(latenciesMs, 0.5)).toFixed(1),
    of(({ latenciesMs }) => quantile(latenciesMs, 0.99)).toFixed(1),
    of(({ latenciesMs }) => quantile(latenciesMs, 1)).toFixed(0),
    of((load) => load.cpuMs).toFixed(2),
    String(turnedAway),
  ].join(' | ');
}

/** Searches a second, each for the first time, that the process answers when no client sends more than that. */
async function sustainableRate(
  dataFolder: string,
  { queries, ...options }: Omit<Rounds, 'rounds'>,
): Promise<number> {
  const server = await startGleaner(dataFolder, unlimited);
  const request = { ...options, server, nextPath: neverTheSame(queries) };
  try {
    await load({ ...request, seconds: 3 });
    return (await load(request)).perSecond;
  } finally {
    await server.stop();
  }
}

/** The best page of every tenth query. */
async function someIds({ url }: Server, paths: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const path of paths.filter((_, at) => at % 10 === 0)) {
    const { results } = (await (await fetch(`${url}${path}`)).json()) as SearchResponse;
    ids.push(...results.slice(0, 1).map(({ id }) => id));
  }
  return ids;
}
