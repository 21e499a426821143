import { fuzzTable, hostileTable } from './extraction/hostile-table.ts';
import { languageTable } from './extraction/language-table.ts';
import { costTable, metadataTable, textTable } from './extraction/page-tables.ts';
import { installExtractionPeers, peerVersions } from './extraction/peers.ts';
import { installPythonPeers, pythonPeerVersions } from './extraction/python-peers.ts';
import { type ReaderName, readAll, readerNames, writtenDays } from './extraction/read-all.ts';
import type { ReaderReport } from './extraction/reader-process.ts';
import { halves } from './extraction/sets.ts';
import { writeBlock } from './write-block.ts';

const judgedOn = Date.UTC(2026, 10, 20);

/** Each part of the bench, and the blocks of docs/extraction.md that it writes. */
const parts: Readonly<
  Record<string, (args: readonly string[]) => Promise<Readonly<Record<string, string>>>>
> = {
  pages,
  cost,
  languages: async () => ({ languages: await languageTable() }),
  hostile: async () => ({ hostile: await hostileTable() }),
  fuzz: async (args) => ({
    fuzz: await fuzzTable({
      pages: countOf(args, 'pages', 1000),
      documents: countOf(args, 'documents', 400),
    }),
  }),
};

/**
 * What do pages say, and how well do we read it? Arguments: the parts to run, all without any (`cost` alone is a part of
 * `pages`); `--write` puts their tables into docs/extraction.md; `--without-defuddle` and the like leave a library out; `--pages=20000` and
 * `--documents=4000` are how many files the fuzz damages.
 */
export async function main(args: string[]): Promise<void> {
  const asked = args.filter((arg) => !arg.startsWith('--'));
  const unknown = asked.find((name) => !(name in parts));
  if (unknown !== undefined) throw new Error(`there is no part ${unknown}: ${Object.keys(parts).join(', ')}`);
  for (const [name, run] of Object.entries(parts)) {
    if (asked.length > 0 ? !asked.includes(name) : name === 'cost') continue;
    for (const [mark, table] of Object.entries(await run(args))) {
      console.log(`\n${table}`);
      if (args.includes('--write')) writeBlock('docs/extraction.md', mark, table);
    }
  }
}

/** The value of `--NAME=COUNT`. */
function countOf(args: readonly string[], name: string, otherwise: number): number {
  const value = args.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1];
  const count = value === undefined ? otherwise : Number(value);
  if (!Number.isSafeInteger(count) || count < 1) throw new Error(`--${name} takes a count, not ${value}`);
  return count;
}

async function pages(args: readonly string[]): Promise<Record<string, string>> {
  const reports = await readByAll(args);
  const days = writtenDays(halves, judgedOn);
  return {
    'main-text': textTable(reports, 'development'),
    'main-text-held-out': textTable(reports, 'held-out'),
    metadata: metadataTable(reports, 'development', days),
    'metadata-held-out': metadataTable(reports, 'held-out', days),
    'reading-cost': costOf(reports),
  };
}

/** What reading the judged sets costs, without what was read. */
async function cost(args: readonly string[]): Promise<Record<string, string>> {
  return { 'reading-cost': costOf(await readByAll(args)) };
}

type AllReports = Awaited<ReturnType<typeof readByAll>>;

function costOf(reports: AllReports): string {
  const versions = `${peerVersions()}, from Node ${process.version}; ${pythonPeerVersions()}`;
  return `${costTable(reports)}\n\nPeers: ${versions}.`;
}

/** The judged sets, read by Gleaner and by the libraries, in turn. */
async function readByAll(args: readonly string[]) {
  installExtractionPeers();
  installPythonPeers();
  const peers: Partial<Record<ReaderName, ReaderReport>> = {};
  for (const name of readerNames)
    if (name !== 'gleaner' && !args.includes(`--without-${name}`)) peers[name] = await readAll(name, halves);
  return { ...peers, gleaner: await readAll('gleaner', halves) };
}
