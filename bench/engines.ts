import { parseArgs } from 'node:util';
import { main as makeCorpus } from './corpus.ts';
import { corpusSize, readQueries } from './engines/corpus-files.ts';
import { installedVersions, installNpmPeers, installTantivy } from './engines/install.ts';
import { buildAll } from './engines/measure.ts';
import { prepareTerms } from './engines/page-terms-file.ts';
import { describeRun, machine } from './engines/table.ts';
import { searchAll } from './engines/take-turns.ts';
import { writeBlock } from './write-block.ts';

const peers = ['fts5', 'minisearch', 'flexsearch', 'orama', 'tantivy', 'tantivy-one-field'];

/**
 * How fast is our index compared with others? `--pages 10000` (100,000 when not given), `--peers fts5,tantivy`,
 * `--passes 7`; `--reuse` takes the peers' indexes of an earlier run; `--write` puts the table of all pages into docs/performance.md.
 */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      pages: { type: 'string', default: String(corpusSize) },
      peers: { type: 'string', default: peers.join(',') },
      passes: { type: 'string', default: '7' },
      reuse: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
    },
  });
  const pages = Number(values.pages);
  const chosen = values.peers.split(',').filter((name) => name !== '');
  const unknown = chosen.filter((name) => !peers.includes(name));
  if (!(pages >= 1 && pages <= corpusSize)) throw new Error(`--pages is from 1 to ${corpusSize}`);
  if (values.write && pages !== corpusSize) throw new Error('--write is for the table of all pages');
  if (unknown.length > 0)
    throw new Error(`no such peer: ${unknown.join(', ')}; there are ${peers.join(', ')}`);

  await makeCorpus();
  installNpmPeers();
  const pythonRuns = chosen.some((name) => name.startsWith('tantivy')) && installTantivy();
  const names = ['gleaner', 'gleaner-as-typed', ...chosen].filter(
    (name) => pythonRuns || !name.startsWith('tantivy'),
  );
  const queries = readQueries();
  const termsFile = await prepareTerms(pages);

  const all = await buildAll(names, { pages, termsFile, reuse: values.reuse });
  await searchAll(all, { queries, passes: Number(values.passes) });

  const about = `${pages.toLocaleString('en')} pages, ${queries.length} queries, ${values.passes} passes; ${machine()}; ${installedVersions(pythonRuns)}.${values.reuse ? " The peers' indexes were packed in an earlier run." : ''}`;
  const table = `${about}\n\n${describeRun(all, queries, pages)}`;
  console.log(table);
  if (values.write) writeBlock('docs/performance.md', 'engines', table);
}
