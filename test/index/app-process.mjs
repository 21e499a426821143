// An app over a data folder that takes commands on stdin, one JSON array a line, and answers each with a line of JSON:
// [id, "put", text, from, count], [id, "pack"], [id, "search", q] or [id, "stats"]; the answer is [id, answer]. Answers may
// come in another order than the commands.
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { openApp } from '../../dist/src/app/app.js';
import { createCompactor } from '../../dist/src/index/packed/compactor.js';
import { indexFolderOf } from '../../dist/src/index/packed/read-ahead.js';
import { parseQuery } from '../../dist/src/query/parser.js';
import { silentLog } from '../../dist/src/runtime.js';
import { pageId } from '../../dist/src/store/page/page-id.js';

const dataFolder = process.argv[2];
const say = (fields, message) =>
  process.stderr.write(`${message}: ${fields.err?.stack ?? JSON.stringify(fields)}\n`);
const log = { ...silentLog, warn: say, error: say };
const app = openApp({ config: { dataFolder }, log });
await app.prepare();
const { store, index } = app;
// The first start reviews the pages of the folder. Pages that are put meanwhile would be put a second time by the review.
while (store.table('review').get('pages')?.step !== 'done') await wait(10);

const packings = [];
const compactor = createCompactor({
  store,
  dataFolder,
  indexFolder: indexFolderOf(dataFolder),
  packedSeq: () => index.stats().packedSeq,
  log: {
    ...log,
    info: (result) => packings.push(result.packed),
  },
});

function page(text, n) {
  const url = `https://a.example/${text}/${n}`;
  const body = `${text} number${n}`;
  const head = { id: pageId(url), url, title: text, description: '', siteName: null, author: null };
  return {
    ...head,
    publishedAt: null,
    crawledAt: 0,
    lang: 'en',
    fileType: 'html',
    wordCount: 2,
    headings: '',
    body,
  };
}

const commands = {
  put: async (text, from, count) => {
    await store.write((writer) => {
      for (let n = from; n < from + count; n++) writer.putPage(page(text, n));
    });
    return { acknowledgedAt: Date.now() };
  },
  /** How many pages this process has packed in this packing; none when another process had the packer's place. */
  pack: async () => {
    const before = packings.length;
    await compactor.packNow();
    return { packings: packings.slice(before) };
  },
  search: async (q) => ({ total: (await index.search({ query: parseQuery(q), limit: 1 })).total }),
  stats: async () => index.stats(),
};

process.stdout.write('"ready"\n');
createInterface({ input: process.stdin }).on('line', async (line) => {
  const [id, name, ...values] = JSON.parse(line);
  const answer = await commands[name](...values);
  process.stdout.write(`${JSON.stringify([id, answer])}\n`);
});
