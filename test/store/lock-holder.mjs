// Stands in the middle of a write transaction until a file appears, then commits, prints and ends.
import { existsSync } from 'node:fs';
import { openPageStore } from '../../dist/src/store/lmdb-store.js';

const [folder, until] = process.argv.slice(2);
const store = openPageStore(folder);
const table = store.table('numbers');
const pause = new Int32Array(new SharedArrayBuffer(4));
await store.write((writer) => {
  writer.put(table, 'one', 1);
  process.stderr.write('held\n');
  while (!existsSync(until)) Atomics.wait(pause, 0, 0, 20);
});
await store.close();
process.stderr.write('committed\n');
