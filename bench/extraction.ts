import { hostileTable } from './extraction/hostile-table.ts';
import { languageTable } from './extraction/language-table.ts';
import { costTable, metadataTable, textTable } from './extraction/page-tables.ts';
import { installExtractionPeers, peerVersions } from './extraction/peers.ts';
import { readAll, writtenDays } from './extraction/read-all.ts';
import { writeBlock } from './write-block.ts';

const judgedOn = Date.UTC(2026, 10, 20);

/** Each part of the bench, and the blocks of docs/extraction.md that it writes. */
const parts: Readonly<Record<string, () => Promise<Readonly<Record<string, string>>>>> = {
  pages,
  languages: async () => ({ languages: await languageTable() }),
  hostile: async () => ({ hostile: await hostileTable() }),
};

/**
 * What do pages say, and how well do we read it? Arguments: the parts to run, all without any; `--write` puts their
 * tables into docs/extraction.md.
 */
export async function main(args: string[]): Promise<void> {
  const asked = args.filter((arg) => !arg.startsWith('--'));
  const unknown = asked.find((name) => !(name in parts));
  if (unknown !== undefined) throw new Error(`there is no part ${unknown}: ${Object.keys(parts).join(', ')}`);
  for (const [name, run] of Object.entries(parts)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    for (const [mark, table] of Object.entries(await run())) {
      console.log(`\n${table}`);
      if (args.includes('--write')) writeBlock('docs/extraction.md', mark, table);
    }
  }
}

/** The judged sets, read by Gleaner and by the libraries, in turn. */
async function pages(): Promise<Record<string, string>> {
  installExtractionPeers();
  const gleaner = await readAll('gleaner');
  const readability = await readAll('readability');
  const defuddle = await readAll('defuddle');
  const reports = { gleaner, readability, defuddle };
  return {
    'main-text': textTable(reports),
    metadata: metadataTable(reports, (set) => writtenDays(set, judgedOn)),
    'reading-cost': `${costTable(reports)}\n\nPeers: ${peerVersions()}, from Node ${process.version}.`,
  };
}
