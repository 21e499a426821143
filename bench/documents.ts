import { hostileTable } from './documents/hostile.ts';
import { readSet } from './documents/read-set.ts';
import { pairsTable, reasonsTable, setsTable, typesTable } from './documents/tables.ts';
import { writeBlock } from './write-block.ts';

/**
 * Which documents can be read, and what do they cost? Over the sets of ../shared/data/documents and hostile files made
 * here; `--write` puts the tables into docs/extraction.md.
 */
export async function main(args: string[]): Promise<void> {
  const reports = {
    'tika-all': readSet('tika-all'),
    docling: readSet('docling'),
    markitdown: readSet('markitdown'),
  };
  const blocks = {
    'document-sets': setsTable(reports),
    'document-types': typesTable(reports),
    'document-pairs': pairsTable(reports),
    'document-reasons': reasonsTable(reports),
    'document-hostile': await hostileTable(),
  };
  for (const [mark, block] of Object.entries(blocks)) {
    console.log(`\n${block}`);
    if (args.includes('--write')) writeBlock('docs/extraction.md', mark, block);
  }
}
