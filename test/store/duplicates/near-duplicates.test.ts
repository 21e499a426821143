import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../../src/app/app.ts';
import { pack } from '../../../src/index/packed/pack.ts';
import { indexFolderOf } from '../../../src/index/packed/read-ahead.ts';
import type { Page, PageHead } from '../../../src/page.ts';
import { silentLog } from '../../../src/runtime.ts';
import { isNearCopy } from '../../../src/store/duplicates/is-near-duplicate.ts';
import { createCopies } from '../../../src/store/duplicates/near-duplicates.ts';
import { hammingDistance, maxDistance, simhash } from '../../../src/store/duplicates/simhash.ts';
import { openPageStore } from '../../../src/store/lmdb-store.ts';
import { pageId } from '../../../src/store/page/page-id.ts';
import { examplePage } from '../../pages.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const heron = Array.from({ length: 400 }, (_, n) => `heron fact number ${n}`).join(' ');
const owl = Array.from({ length: 400 }, (_, n) => `owl secret of night ${n * 7}`).join(' ');

function openAppWith() {
  const dataFolder = temporaryFolder();
  const app = openApp({ config: { dataFolder }, log: silentLog });
  onTestFinished(() => app.close());
  const put = (url: string, body: string, more: Partial<Page> = {}) =>
    app.pageWriter.put(examplePage({ url, body, ...more }));
  const remove = (url: string) => app.pageWriter.remove(pageId(url));
  const found = async (q: string) => {
    const { total, results } = await app.engine.search({ q, limit: 100, offset: 0 });
    expect(results).toHaveLength(total);
    return results.map(({ url }) => url).sort();
  };
  const packNow = async () => {
    pack(app.store, indexFolderOf(dataFolder));
    await app.index.refresh();
    expect(app.index.stats().livePages).toBe(0);
  };
  return { ...app, dataFolder, put, remove, found, packNow };
}

describe.each([['live'], ['packed']])('in the %s tier', (tier) => {
  const open = () => {
    const app = openAppWith();
    const found = async (q: string) => {
      if (tier === 'packed') await app.packNow();
      return app.found(q);
    };
    return { ...app, found };
  };

  test('of pages of one host that say the same, only the first is found', async () => {
    const { put, found } = open();
    await put('https://a.example/1', heron);
    await put('https://a.example/print/1', `${heron} printed`, { title: 'EXAMPLE!' });
    await put('https://a.example/2', owl);
    expect(await found('heron')).toEqual(['https://a.example/1']);
    expect(await found('heron site:a.example')).toEqual(['https://a.example/1']);
    expect(await found('-zebra')).toEqual(['https://a.example/1', 'https://a.example/2']);
  });

  test('a page with a title of its own is no copy, however alike the texts', async () => {
    const { put, found } = open();
    await put('https://a.example/struct.Drain', heron, { title: 'Struct Drain' });
    await put('https://a.example/struct.Args', heron, { title: 'Struct Args' });
    await put('https://a.example/struct.Lines', `${heron} lines`, { title: 'Struct Lines' });
    expect(await found('heron')).toHaveLength(3);
  });

  test('pages of one title are no copies when they differ in what is not the template', async () => {
    const { put, found } = open();
    for (const name of ['Drain', 'Args', 'Lines'])
      await put(`https://a.example/${name}`, `${heron} ${name}`, { title: name });
    await put('https://a.example/std/option', `${heron} enum option of the standard library`, {
      title: 'Option',
    });
    await put('https://a.example/clap/option', `${heron} a flag or an argument in clap`, { title: 'Option' });
    expect(await found('intitle:option')).toHaveLength(2);
  });

  test('a short text is compared as a whole', async () => {
    const { put, found } = open();
    await put('https://a.example/1', 'leaf');
    await put('https://a.example/2', 'leaf');
    await put('https://a.example/3', 'leaf and root');
    await put('https://a.example/4', 'leaf', { title: 'Another title' });
    const [one, three, four] = [1, 3, 4].map((n) => `https://a.example/${n}`);
    expect(await found('leaf')).toEqual([one, three, four]);
  });

  test('a copy on another host is found by searches that name a site', async () => {
    const { put, found } = open();
    const [original, mirror, second] = [
      'https://a.example/1',
      'https://mirror.example/1',
      'https://mirror.example/print',
    ];
    await put(original, heron);
    await put(mirror, heron);
    await put(second, heron);
    expect(await found('heron')).toEqual([original]);
    expect(await found('heron site:mirror.example')).toEqual([mirror]);
    expect(await found('heron -site:a.example')).toEqual([mirror]);
    expect(await found('heron site:mirror.example filetype:html')).toEqual([]);
  });

  test('the removal of an original brings a copy back, one of its own host first', async () => {
    const { put, remove, found } = open();
    const urls = [
      'https://a.example/1',
      'https://mirror.example/1',
      'https://a.example/2',
      'https://mirror.example/2',
    ];
    for (const url of urls) await put(url, heron);
    await remove('https://a.example/1');
    expect(await found('heron')).toEqual(['https://a.example/2']);
    expect(await found('heron site:mirror.example')).toHaveLength(1);
    await remove('https://a.example/2');
    expect(await found('heron')).toHaveLength(1);
    const [shown = ''] = await found('heron');
    await remove(shown);
    expect(await found('heron')).toEqual(urls.filter((url) => url.includes('mirror') && url !== shown));
  });

  test('a copy that comes to say something else is found, and so is the copy of an original that does', async () => {
    const { put, found } = open();
    await put('https://a.example/1', heron);
    await put('https://a.example/2', heron);
    await put('https://a.example/2', owl);
    expect(await found('owl')).toEqual(['https://a.example/2']);
    await put('https://a.example/3', owl);
    expect(await found('owl')).toEqual(['https://a.example/2']);
    await put('https://a.example/2', heron);
    expect(await found('owl')).toEqual(['https://a.example/3']);
    expect(await found('heron')).toEqual(['https://a.example/1']);
  });

  test('a page that is looked at again keeps its place, and pages of other types or languages are no copies', async () => {
    const { put, pageWriter, found } = open();
    await put('https://a.example/1', heron);
    await put('https://a.example/2', heron);
    await pageWriter.touch(pageId('https://a.example/1'), 5);
    await put('https://a.example/1', heron);
    await put('https://a.example/1.pdf', heron, { fileType: 'pdf' });
    await put('https://a.example/de', heron, { lang: 'de' });
    expect(await found('heron')).toEqual(['1', '1.pdf', 'de'].map((name) => `https://a.example/${name}`));
    expect(await found('heron filetype:pdf')).toEqual(['https://a.example/1.pdf']);
  });

  test('pages without a text are never copies', async () => {
    const { put, found } = open();
    await put('https://a.example/1', '', { title: 'Nothing' });
    await put('https://a.example/2', '', { title: 'Nothing' });
    expect(await found('nothing')).toHaveLength(2);
  });
});

test('another process’s index loses the copy and gets it back, too', async () => {
  const one = openAppWith();
  const other = openApp({ config: { dataFolder: one.dataFolder }, log: silentLog });
  onTestFinished(() => other.close());
  const found = async () => {
    await other.follower.catchUp();
    return (await other.engine.search({ q: 'heron', limit: 10, offset: 0 })).results.map(({ url }) => url);
  };
  await one.put('https://a.example/1', heron);
  await one.put('https://a.example/2', heron);
  expect(await found()).toEqual(['https://a.example/1']);
  await one.remove('https://a.example/1');
  expect(await found()).toEqual(['https://a.example/2']);
});

/** What must hold of the marks of all pages, whatever happened before. */
function faults(heads: readonly PageHead[], bodies: ReadonlyMap<string, string>): string[] {
  const wrong: string[] = [];
  const byId = new Map(heads.map((head) => [head.id, head]));
  const near = (a: PageHead, b: PageHead) => {
    const [one, other] = [a, b].map(({ id, title }) => `${title}\n${bodies.get(id)}`) as [string, string];
    const [x, y] = [simhash(one), simhash(other)];
    const isAlike = x !== null && y !== null && hammingDistance(x, y) <= maxDistance;
    return one === other || (isAlike && isNearCopy(bodies.get(a.id) ?? '', bodies.get(b.id) ?? '', []));
  };
  const originals = heads.filter(({ copyOf }) => copyOf === undefined);
  for (const [at, one] of originals.entries())
    for (const other of originals.slice(at + 1))
      if (near(one, other)) wrong.push(`${one.url} and ${other.url} are both originals`);
  for (const head of heads) {
    if (head.copyOf === undefined) {
      if (head.isHidden) wrong.push(`${head.url} is hidden, but no copy`);
      continue;
    }
    const original = byId.get(head.copyOf);
    if (!original || original.copyOf !== undefined) wrong.push(`${head.url} is a copy of no original`);
    else if (!near(original, head)) wrong.push(`${head.url} is unlike its original`);
  }
  const shown = new Map<string, number>();
  for (const { url, id, copyOf, isHidden } of heads) {
    const key = `${copyOf ?? id} ${new URL(url).host}`;
    shown.set(key, (shown.get(key) ?? 0) + (isHidden ? 0 : 1));
  }
  for (const [key, count] of shown) if (count !== 1) wrong.push(`${key}: ${count} shown`);
  return wrong;
}

test('after any puts and removals every copy has its original, and every host shows one of a kind', async () => {
  const texts = ['leaf', heron, `${heron} x`, `${heron} y z`, owl, owl.replace('owl', 'eagle owl'), ''];
  const step = fc.record({
    host: fc.constantFrom('a.example', 'b.example'),
    path: fc.nat(3),
    text: fc.option(fc.constantFrom(...texts.slice(0, -1)), { freq: 3 }),
  });
  const store = openPageStore(temporaryFolder());
  onTestFinished(() => store.close());
  const copies = createCopies(store);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      await store.write((writer) => {
        for (const { host, path, text } of steps) {
          const url = `https://${host}/${path}`;
          if (text === null) copies.remove(writer, pageId(url));
          else copies.put(writer, examplePage({ url, body: text }));
        }
      });
      const heads = [...store.heads()];
      const bodies = new Map(heads.map(({ id }) => [id, store.page(id)?.body ?? '']));
      expect(faults(heads, bodies)).toEqual([]);
      await store.write((writer) => heads.map(({ id }) => copies.remove(writer, id)));
      for (const name of ['fingerprints', 'originals', 'copies']) expect(store.table(name).count()).toBe(0);
    }),
    { numRuns: 150 },
  );
});
