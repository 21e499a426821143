import { expect, test } from 'vitest';
import { openPageStore } from '../../../src/store/lmdb-store.ts';
import { openHead, sealPage } from '../../../src/store/page/page-checksum.ts';
import { createPageIntake } from '../../../src/store/page/page-intake.ts';
import { repairStore } from '../../../src/store/verify/repair-store.ts';
import { examplePage } from '../../pages.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const plain = examplePage({
  url: 'https://docs.example/a',
  title: 'A',
  body: 'Text of a.',
  crawledAt: 1_700_000_000_000,
});

test('a head without other titles keeps the checksum that it had before there were any', () => {
  const { head } = sealPage({ ...plain, id: 'aaaaaaaaaaaaaaaaaaaaaaaaaa' });
  expect(head.check).toEqual([1_795_439_860, 3_670_279_919]);
});

test('other titles are covered by the checksum of the head', () => {
  const { head } = sealPage({ ...plain, otherTitles: 'B\nC' });
  expect(openHead(plain.id, head)?.otherTitles).toBe('B\nC');
  expect(openHead(plain.id, { ...head, otherTitles: 'B\nD' })).toBeUndefined();
  const { otherTitles: _, ...without } = head;
  expect(openHead(plain.id, without)).toBeUndefined();
});

test('the day of publication is covered by the checksum of the head', () => {
  const { head } = sealPage({ ...plain, publishedDay: '2024-03-12' });
  expect(openHead(plain.id, head)?.publishedDay).toBe('2024-03-12');
  expect(openHead(plain.id, { ...head, publishedDay: '2024-03-13' })).toBeUndefined();
});

test('the share of links is covered by the checksum of the head', () => {
  const { head } = sealPage({ ...plain, linkShare: 0.25 });
  expect(openHead(plain.id, head)?.linkShare).toBe(0.25);
  expect(openHead(plain.id, { ...head, linkShare: 0.5 })).toBeUndefined();
});

test('lone surrogates in other titles are no damage', async () => {
  const folder = temporaryFolder();
  const store = openPageStore(folder);
  await store.write((writer) => writer.putPage({ ...plain, otherTitles: 'B \ud800' }));
  await store.close();
  const again = openPageStore(folder);
  expect(again.source(plain.id)?.otherTitles).toBe('B \ufffd');
  await again.close();
});

test('a repair keeps other titles, and what a host’s pages have in common', async () => {
  const folder = temporaryFolder();
  const store = openPageStore(folder);
  const intake = createPageIntake(store);
  const pages = [1, 2, 3, 4, 5, 6].map((n) =>
    examplePage({
      url: `https://docs.example/${n}`,
      title: 'Heron Documentation',
      otherTitles: `Chapter ${n}`,
      body: `Text of number ${n}.`,
    }),
  );
  for (const page of pages) await store.write((writer) => intake.put(writer, page));
  const seen = pages.map(({ id }) => [store.head(id), store.source(id)]);
  expect(seen[2]?.[0]).toMatchObject({ title: 'Chapter 3', siteName: 'Heron Documentation' });
  await store.close();
  await repairStore(folder);
  const repaired = openPageStore(folder);
  expect(pages.map(({ id }) => [repaired.head(id), repaired.source(id)])).toEqual(seen);
  await repaired.close();
});

test('a field without a value that was stored under a damaged name has none, as before', () => {
  const { head } = sealPage({ ...plain, siteName: null, author: null, publishedAt: null, description: '' });
  const { publishedAt, siteName, description, ...rest } = head;
  const misnamed = { ...rest, qublishedAt: publishedAt, siteNamf: siteName, descriptioo: description };
  const { check: _, ...whole } = head;
  expect(openHead(plain.id, misnamed as unknown as typeof head)).toEqual(whole);
});

test('a head whose values are of other types is damaged, whatever its checksum', () => {
  const { head } = sealPage({ ...plain, publishedAt: null });
  for (const changed of [{ publishedAt: '' }, { publishedAt: [] }, { crawledAt: String(plain.crawledAt) }])
    expect(openHead(plain.id, { ...head, ...changed } as unknown as typeof head)).toBeUndefined();
});

test('the mark of a private page cannot be lost unnoticed, and heads without it are as they were before there were marks', () => {
  const { head } = sealPage({ ...plain, isPrivate: true });
  expect(openHead(plain.id, head)?.isPrivate).toBe(true);
  const { isPrivate: _, ...open } = head;
  expect(openHead(plain.id, open)).toBeUndefined();
  expect(openHead(plain.id, { ...head, isPrivate: false })).toBeUndefined();
  const old = examplePage({ url: 'https://old.example/', title: 'Old' });
  // As the version before them wrote it.
  expect(sealPage(old).head.check).toEqual([3563975108, 3268671714]);
});
