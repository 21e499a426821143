import { createInterface } from 'node:readline';
import { setTimeout as after } from 'node:timers/promises';
import { createCompactor } from '../../src/index/packed/compactor.ts';
import { readManifest } from '../../src/index/packed/manifest.ts';
import { indexFolderOf } from '../../src/index/packed/read-ahead.ts';
import { silentLog } from '../../src/runtime.ts';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { pageId } from '../../src/store/page/page-id.ts';
import { createPageWriter } from '../../src/store/page-writer.ts';
import { stormPage, urlOfSlot } from './storm-page.ts';

/**
 * A process that writes until it is ended: `storm-writer.js FOLDER SLOTS FIRST_VERSION`. It begins with the first line
 * on stdin and prints a line of JSON for each operation that it begins, and for each that was acknowledged or failed.
 * `read` on stdin asks it for the number of pages, `close` ends it.
 */
const [folder = '', slots = '60', firstVersion = '1'] = process.argv.slice(2);
const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

const parallelWrites = 3;
const packEvery = 40;
/** After a write that failed, as on a full disk. */
const restMs = 100;

const store = openPageStore(folder);
const pageWriter = createPageWriter({ store });
const indexFolder = indexFolderOf(folder);
const compactor = createCompactor({
  store,
  log: silentLog,
  dataFolder: folder,
  indexFolder,
  packedSeq: () => readManifest(indexFolder)?.seq ?? 0,
});

let version = Number(firstVersion);
let written = 0;
let closing = false;
const busy = new Set<number>();

async function writeOne(): Promise<void> {
  const slot = Math.floor(Math.random() * Number(slots));
  if (busy.has(slot)) return void (await after(1));
  busy.add(slot);
  const state = Math.random() < 0.15 ? 'removed' : version++;
  say({ kind: 'begun', slot, state });
  try {
    if (state === 'removed') await pageWriter.remove(pageId(urlOfSlot(slot)));
    else await pageWriter.put(stormPage(slot, state));
    say({ kind: 'acknowledged', slot, state });
    if (++written % packEvery === 0) void compactor.packNow();
  } catch (error) {
    say({ kind: 'failed', slot, name: (error as Error).name, message: (error as Error).message });
    await after(restMs);
  } finally {
    busy.delete(slot);
  }
}

async function writeAlways(): Promise<void> {
  while (!closing) await writeOne();
}

let writers: Promise<void>[] = [];
for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'go') writers = Array.from({ length: parallelWrites }, writeAlways);
  if (line === 'read') say({ kind: 'read', pages: store.pageCount() });
  if (line === 'close') break;
}
closing = true;
await Promise.all(writers);
await compactor.packNow();
await compactor.close();
await store.close();
say({ kind: 'closed' });
