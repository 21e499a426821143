import { parseArgs } from 'node:util';
import { SearchParams } from '../src/contract/search.ts';
import type { Engine } from '../src/engine/engine.ts';
import { fillPeer } from './answer-peers/fill-peer.ts';
import type { AnswerPeer, PeerProcess } from './answer-peers/peer-process.ts';
import { installTantivy } from './engines/install.ts';
import { machine } from './engines/table.ts';
import { notAskedBefore } from './not-asked.ts';
import { openOwnEngine } from './own-engine.ts';
import { drawClasses, type QueryClass } from './whole-answers/queries.ts';
import { packedFolder, realPages, samplePages } from './whole-answers/real-pages.ts';
import { writeBlock } from './write-block.ts';

const peers: readonly AnswerPeer[] = ['tantivy', 'fts5'];

/** The peers cut Chinese and Japanese into no words, have no answers of 100 results here, and FTS5 takes seconds for long ORs. */
const notCompared = /Chinese|limit|characters/;

/**
 * What does a whole answer cost, beside Tantivy with its snippets and FTS5 with `snippet()`: the exact total and ten results
 * with title, URL and snippet, as JSON? CPU in each engine's own process, over the same pages and the same queries,
 * `--queries 60` of each kind, `--rounds 4` in turn. `--data FOLDER` takes the pages of another data folder as it is
 * packed. `--peers fts5` takes one peer alone. `--write` puts the table into docs/performance.md.
 */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      queries: { type: 'string', default: '60' },
      rounds: { type: 'string', default: '4' },
      peers: { type: 'string', default: peers.join(',') },
      data: { type: 'string' },
      write: { type: 'boolean', default: false },
    },
  });
  const chosen = peers.filter((name) => values.peers.split(',').includes(name));
  if (chosen.includes('tantivy') && !installTantivy()) throw new Error('Tantivy cannot be installed by pip');
  const folder = values.data ?? (await packedFolder(await realPages()));
  const { pages, total } = await samplePages(folder);
  const classes = drawClasses(pages, Number(values.queries)).filter(({ name }) => !notCompared.test(name));

  const processes: { name: AnswerPeer; peer: PeerProcess }[] = [];
  for (const name of chosen) processes.push({ name, peer: (await fillPeer(name, folder)).peer });
  const own = openOwnEngine(folder);
  const lines = [
    `${total.toLocaleString('en')} pages, ${values.queries} queries of each kind, the best of ${values.rounds} rounds in turn; ${machine()}.`,
    '',
    `| query | Gleaner: mean ms (CPU) | ${chosen.map((name) => `${name} | of ${name}'s`).join(' | ')} |`,
    `|---|--:|${chosen.map(() => '--:|--:|').join('')}`,
  ];
  for (const kind of classes) {
    const line = await measure(kind, own.engine, processes, Number(values.rounds));
    console.log(line);
    lines.push(line);
  }
  for (const { peer } of processes) await peer.end();
  await own.close();
  const text = lines.join('\n');
  console.log(`\n${text}`);
  if (values.write) writeBlock('docs/performance.md', 'answer-peers', text);
}

/** A row of the table: the mean CPU of an answer in the best round of each engine. */
async function measure(
  { name, searches }: QueryClass,
  own: Engine,
  processes: readonly { peer: PeerProcess }[],
  rounds: number,
): Promise<string> {
  const queries = searches.map(({ q }) => q);
  const mean = (cpuMs: readonly number[]): number => cpuMs.reduce((sum, ms) => sum + ms, 0) / cpuMs.length;
  let ours = Number.POSITIVE_INFINITY;
  const theirs = processes.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round++) {
    ours = Math.min(ours, (await cpuOf(own, queries)) / queries.length);
    for (const [which, { peer }] of processes.entries())
      theirs[which] = Math.min(theirs[which] as number, mean((await peer.ask(queries)).cpuMs));
  }
  const others = theirs.flatMap((ms) => [ms.toFixed(2), (ours / ms).toFixed(2)]);
  return `| ${[name, ours.toFixed(2), ...others].join(' | ')} |`;
}

/** CPU of the whole process, all threads, for answers that no cache has; in milliseconds. */
async function cpuOf(engine: Engine, queries: readonly string[]): Promise<number> {
  const before = process.cpuUsage();
  for (const q of queries) {
    const search = SearchParams.parse({ q: notAskedBefore(q) });
    JSON.stringify(await engine.search(search, { mayAskExternal: () => false }));
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
