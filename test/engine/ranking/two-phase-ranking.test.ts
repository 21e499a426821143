import { expect, onTestFinished, test } from 'vitest';
import { SearchParams } from '../../../src/contract/search.ts';
import { rank } from '../../../src/engine/ranking/two-phase-ranking.ts';
import { resultScore } from '../../../src/engine/result-score.ts';
import { parseQuery } from '../../../src/query/parser.ts';
import { silentLog } from '../../../src/runtime.ts';
import { openApp } from '../../opensearch/open-app.ts';
import { examplePage } from '../../pages.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

async function appWith(count: number) {
  const app = openApp({ config: { dataFolder: temporaryFolder() }, log: silentLog, now: () => 0 });
  onTestFinished(() => app.close());
  await app.store.write((writer) => {
    for (let n = 0; n < count; n++) {
      const body = `${'heron '.repeat(1 + (n % 7))}${'filler '.repeat(n % 13)}${n % 3 ? 'pond' : `pond ${n}`}`;
      writer.putPage(
        examplePage({ url: `https://${n % 5}.example/${n}`, title: n % 4 ? 'Birds' : 'Heron pond', body }),
      );
    }
  });
  await app.follower.catchUp();
  return app;
}

test('pages of results, put together, are one list, within and beyond the reach of the second phase', async () => {
  const app = await appWith(90);
  const ask = async (offset: number, limit: number) =>
    (await app.engine.search(SearchParams.parse({ q: 'heron pond', offset, limit }))).results;
  const whole = await ask(0, 90);
  expect(whole).toHaveLength(90);
  expect(new Set(whole.map(({ id }) => id)).size).toBe(90);
  for (const size of [7, 10, 45]) {
    const parts = [];
    for (let offset = 0; offset < 90; offset += size) parts.push(...(await ask(offset, size)));
    expect(parts.map(({ id }) => id)).toEqual(whole.map(({ id }) => id));
  }
  for (const [at, { score }] of whole.entries())
    expect(score).toBeLessThanOrEqual(whole[at - 1]?.score ?? Infinity);
});

test('the page that a dotted name is about stands above dozens that have its words more often', async () => {
  const app = openApp({ config: { dataFolder: temporaryFolder() }, log: silentLog, now: () => 0 });
  onTestFinished(() => app.close());
  const at = (name: string) => `https://d.example/org/heron/pond/${name}.html`;
  await app.store.write((writer) => {
    for (let n = 0; n < 60; n++) {
      const body = `A bird of org.heron.pond may have a nest. Type ${n} in org.heron.pond has one nest.`;
      writer.putPage(examplePage({ url: at(`Type${n}`), title: `Type${n}`, body }));
    }
    const body = `A place for eggs in org.heron.pond. ${'It is built of twigs and reed. '.repeat(9)}`;
    writer.putPage(examplePage({ url: at('Nest'), title: 'Interface Nest', body }));
  });
  await app.follower.catchUp();
  const search = { query: parseQuery('org.heron.pond Nest'), limit: 61 };
  const last = (await app.index.search(search)).hits.at(-1)?.id;
  expect(app.store.head(last ?? '')?.url).toBe(at('Nest'));
  const { results } = await app.engine.search(SearchParams.parse({ q: 'org.heron.pond Nest', limit: 3 }));
  expect(results[0]?.url).toBe(at('Nest'));
});

test('the second phase changes the order alone', async () => {
  const { index, store } = await appWith(40);
  const search = { query: parseQuery('heron pond'), limit: 40 };
  const first = await index.search(search);
  const both = await rank({ index, store, now: () => 0 }, search);
  expect(both.total).toBe(first.total);
  expect(new Set(both.hits.map(({ id }) => id))).toEqual(new Set(first.hits.map(({ id }) => id)));
});

test('an explanation multiplies out to the score of the same result', async () => {
  const app = await appWith(20);
  const params = SearchParams.parse({ q: 'heron pond', lang_priority: 'de' });
  const { results } = await app.engine.search(params);
  const explained = await app.engine.explain(params);
  expect(explained.map(({ url }) => url)).toEqual(results.map(({ url }) => url));
  for (const [at, { terms, factors, score }] of explained.entries()) {
    const sum = Object.values(terms).reduce((a, b) => a + b, 0);
    expect(Object.values(factors).reduce((a, b) => a * b, sum)).toBeCloseTo(score, 9);
    expect(resultScore(score)).toBe(results[at]?.score);
  }
});
