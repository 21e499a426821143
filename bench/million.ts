import { parseArgs } from 'node:util';
import { main as makeCorpus } from './corpus.ts';
import { fill } from './engines/building.ts';
import { corpusSize, readQueries } from './engines/corpus-files.ts';
import { emptyFolder, folderBytes, type Measured } from './engines/measure.ts';
import { prepareTerms } from './engines/page-terms-file.ts';
import { buildSegments } from './engines/segments.ts';
import { synthesise } from './engines/synthetic.ts';
import { describeRun, machine } from './engines/table.ts';
import { searchAll } from './engines/take-turns.ts';
import { writeBlock } from './write-block.ts';

/**
 * Does our index hold a million pages? Packs, opens and searches synthetic ones; `--pages 1000000`, `--passes 7`;
 * `--write` puts the table into docs/performance.md.
 */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      pages: { type: 'string', default: '1000000' },
      passes: { type: 'string', default: '7' },
      write: { type: 'boolean', default: false },
    },
  });
  const pages = Number(values.pages);
  await makeCorpus();
  const termsFile = await prepareTerms(corpusSize);
  const folder = emptyFolder(`synthetic-${pages}`);
  const built = await fill(buildSegments(folder), take(await synthesise(termsFile, corpusSize), pages));
  const measured = ['gleaner', 'gleaner-as-typed'].map(
    (name): Measured => ({ name, folder, fileBytes: folderBytes(folder), passes: [] }),
  );
  for (const one of measured.slice(0, 1)) one.built = built;
  const queries = readQueries();
  await searchAll(measured, { queries, passes: Number(values.passes) });
  const table = `${pages.toLocaleString('en')} synthetic pages, ${queries.length} queries, ${values.passes} passes; ${machine()}.\n\n${describeRun(measured, queries, pages)}`;
  console.log(table);
  if (values.write) writeBlock('docs/performance.md', 'million', table);
}

function* take<T>(values: Iterable<T>, count: number): Generator<T> {
  let taken = 0;
  for (const value of values) {
    if (taken++ === count) return;
    yield value;
  }
}
