// Writes one entry after the other for as long as it lives: in the writer's place, or as commands do that need none.
import { openPageStore } from '../../dist/src/store/lmdb-store.js';

const [folder, way] = process.argv.slice(2);
const store = openPageStore(folder);
const table = store.table('numbers');
const text = 'text '.repeat(500);
for (let n = 0; ; n++) {
  await store[way]((writer) => writer.put(table, `${process.pid} ${n % 100}`, text));
  if (n === 300) process.stderr.write('written\n');
}
