// Opens the store's environment with `slots` reader slots (0: as it is found) and holds `held` of them.
import { join } from 'node:path';
import { open } from 'lmdb';

const [folder, slots, held] = process.argv.slice(2);
const root = open({
  path: join(folder, 'store'),
  maxDbs: 64,
  ...(slots === '0' ? {} : { maxReaders: Number(slots) }),
});
const heads = root.openDB({ name: 'heads' });
const transactions = [];
for (let n = 0; n < Number(held); n++) {
  transactions.push(heads.useReadTransaction());
  // What is written in between keeps the next one from sharing the snapshot.
  await heads.put('x', n);
  await new Promise((resolve) => setTimeout(resolve, 1));
}
process.stderr.write(`holds ${transactions.length}\n`);
setInterval(() => {}, 1000);
