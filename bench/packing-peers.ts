import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pack } from '../src/index/packed/pack.ts';
import { openPageStore } from '../src/store/lmdb-store.ts';
import { fillPeer, peerFolder } from './answer-peers/fill-peer.ts';
import type { AnswerPeer } from './answer-peers/peer-process.ts';
import { installTantivy } from './engines/install.ts';
import { machine } from './engines/table.ts';
import { writeBlock } from './write-block.ts';

const peers: readonly AnswerPeer[] = ['tantivy', 'fts5'];

interface Packed {
  readonly label: string;
  readonly cpuMs: number;
  readonly bytes: number;
}

/**
 * How fast are pages packed beside Tantivy and FTS5, where each engine cuts the texts into words and stems itself, keeps
 * positions, and stores the texts? `--data FOLDER` is needed; `--write` puts the table into docs/performance.md.
 */
export async function main(args: string[]): Promise<void> {
  const options = { data: { type: 'string' }, write: { type: 'boolean', default: false } } as const;
  const { data, write } = parseArgs({ args, options }).values;
  if (data === undefined) throw new Error('--data FOLDER is needed');
  if (!installTantivy()) throw new Error('Tantivy cannot be installed by pip');
  const { pages, ...own } = await packOwn(data);
  const rows: Packed[] = [own];
  for (const name of peers) {
    const { peer, cpuMs } = await fillPeer(name, data);
    await peer.end();
    rows.push({ label: name, cpuMs, bytes: folderBytes(peerFolder(name)) });
  }
  const text = [
    `${pages.toLocaleString('en')} pages, each engine in one process; ${machine()}.`,
    '',
    '| engine | pages a second of CPU | bytes a page |',
    '|---|--:|--:|',
    ...rows.map(({ label, cpuMs, bytes }) => {
      const rate = Math.round(pages / (cpuMs / 1000)).toLocaleString('en');
      return `| ${label} | ${rate} | ${Math.round(bytes / pages).toLocaleString('en')} |`;
    }),
  ].join('\n');
  console.log(text);
  if (write) writeBlock('docs/performance.md', 'packing-peers', text);
}

async function packOwn(data: string): Promise<Packed & { readonly pages: number }> {
  const store = openPageStore(data);
  const folder = mkdtempSync(join(tmpdir(), 'gleaner-packing-peers-'));
  try {
    const before = process.cpuUsage();
    const { packed } = pack(store, folder);
    const { user, system } = process.cpuUsage(before);
    return { label: 'Gleaner', pages: packed, cpuMs: (user + system) / 1000, bytes: folderBytes(folder) };
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function folderBytes(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}
