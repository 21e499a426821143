// Puts one page after the other as a server that learns does, for as long as it lives, and prints each id.

import { openPageStore } from '../../dist/src/store/lmdb-store.js';
import { briefWriter } from '../../dist/src/store/writer/lock-per-write.js';

const store = briefWriter(openPageStore(process.argv[2]));
const table = store.table('numbers');
const lane = async (name) => {
  for (let n = 0; ; n++) {
    await store.write((writer) => writer.put(table, name, n)).catch(() => {});
    process.stderr.write(`${name} ${n}\n`);
  }
};
await Promise.all(['a', 'b', 'c'].map(lane));
