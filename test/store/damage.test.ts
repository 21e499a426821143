import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';
import { open } from 'lmdb';
import { expect, onTestFinished, test } from 'vitest';
import { verifyFolder } from '../../src/cli/verify.ts';
import type { Page } from '../../src/page.ts';
import { createCopies } from '../../src/store/duplicates/near-duplicates.ts';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { repairStore } from '../../src/store/verify/repair-store.ts';
import { examplePage } from '../pages.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const readerProcess = fileURLToPath(new URL('./damaged-reader.mjs', import.meta.url));

/** Numbers below `bound`, the same in every run (Lehmer's generator with the constants of MINSTD). */
function numbers(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % bound;
  };
}

const next = numbers(14);
const words = Array.from({ length: 400 }, (_, n) => `word${n * 37}`);
const textOf = (length: number): string => {
  let text = '';
  while (text.length < length) text += `${words[next(words.length)]} `;
  return text;
};

/** A store that was closed, of pages short and long, replaced and removed ones, copies and a table. */
async function damagedStore(folder: string): Promise<Map<string, Page>> {
  const store = openPageStore(folder);
  const copies = createCopies(store);
  const table = store.table<{ n: number }>('numbers');
  const pages = new Map<string, Page>();
  for (let n = 0; n < 120; n++) {
    const url = `https://a${n % 7}.example/${n}`;
    const page = examplePage({
      url,
      title: `Page ${n}`,
      body: textOf(n % 3 === 0 ? 200 : 300 + next(20_000)),
    });
    pages.set(page.id, page);
  }
  const all = [...pages.values()];
  await store.write((writer) => {
    for (const page of all) copies.put(writer, { ...page, body: `old ${page.body.slice(0, 3000)}` });
  });
  for (let n = 0; n < all.length; n += 20) {
    await store.write((writer) => {
      for (const page of all.slice(n, n + 20)) copies.put(writer, page);
      for (let entry = 0; entry < 20; entry++) writer.put(table, `key${n + entry}`, { n: n + entry });
    });
  }
  for (const page of all.slice(0, 4)) {
    await store.write((writer) => copies.remove(writer, page.id));
    pages.delete(page.id);
  }
  await store.close();
  return pages;
}

type Damage = (bytes: Buffer) => Buffer;
const blockBytes = 4096;
const flip = (bytes: Buffer, count: number): Buffer => {
  for (let n = 0; n < count; n++) {
    const at = next(bytes.length);
    bytes[at] = (bytes[at] as number) ^ (1 << next(8));
  }
  return bytes;
};
const overwrite = (bytes: Buffer, at: number, length: number, byte: () => number): Buffer => {
  for (let n = at; n < Math.min(bytes.length, at + length); n++) bytes[n] = byte();
  return bytes;
};
const block = (bytes: Buffer): number => next(Math.floor(bytes.length / blockBytes)) * blockBytes;

const damages: Record<string, readonly [count: number, Damage]> = {
  'one bit': [30, (bytes) => flip(bytes, 1)],
  '30 bits': [15, (bytes) => flip(bytes, 30)],
  '300 bits': [15, (bytes) => flip(bytes, 300)],
  'a cut': [15, (bytes) => bytes.subarray(0, next(bytes.length))],
  'a zeroed block': [15, (bytes) => overwrite(bytes, block(bytes), blockBytes, () => 0)],
  'a random block': [10, (bytes) => overwrite(bytes, block(bytes), blockBytes, () => next(256))],
  'the first blocks zeroed': [1, (bytes) => overwrite(bytes, 0, 2 * blockBytes, () => 0)],
  'swapped blocks': [
    15,
    (bytes) => {
      const [one, other] = [block(bytes), block(bytes)];
      const kept = Buffer.from(bytes.subarray(one, one + blockBytes));
      bytes.copy(bytes, one, other, other + blockBytes);
      kept.copy(bytes, other);
      return bytes;
    },
  ],
};

interface Reading {
  readonly pages: Readonly<Record<string, number>>;
  readonly error?: string;
  readonly died?: string;
}

/** Reads folders by the built store in a process of its own, which is started again where it dies. */
async function readAll(folders: readonly string[], ids: readonly string[]): Promise<Map<string, Reading>> {
  const readings = new Map<string, Reading>();
  for (let left = [...folders]; left.length > 0; left = folders.filter((folder) => !readings.has(folder))) {
    const child = spawn(process.execPath, [readerProcess], { stdio: ['pipe', 'pipe', 'ignore'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const closed = once(child, 'close');
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { folder, ...reading } = JSON.parse(line) as Reading & { folder: string };
      readings.set(folder, reading);
    });
    child.stdin.on('error', () => {});
    child.stdin.end(left.map((folder) => `${JSON.stringify({ folder, ids })}\n`).join(''));
    const [code, signal] = (await closed) as [number | null, string | null];
    const victim = folders.find((folder) => !readings.has(folder));
    if (victim !== undefined) readings.set(victim, { pages: {}, died: signal ?? `exit ${code}` });
  }
  return readings;
}

const sum = ({ url, title, headings, body }: Page): number =>
  crc32(JSON.stringify([url, title, headings, body]));

test('of a hundred damaged stores none gives a wrong text or dies twice, and a repair keeps what is whole', async () => {
  const original = temporaryFolder();
  const pages = await damagedStore(original);
  const sums = new Map([...pages].map(([id, page]) => [id, sum(page)]));
  const whole = await verifyFolder(original);
  expect(whole).toMatchObject({ whole: true, findings: [] });
  const bytes = readFileSync(join(original, 'store', 'data.mdb'));

  const root = temporaryFolder();
  const cases = Object.entries(damages).flatMap(([name, [count, damage]]) =>
    Array.from({ length: count }, (_, n) => {
      const folder = join(root, `${name}-${n}`.replaceAll(' ', '-'));
      mkdirSync(join(folder, 'store'), { recursive: true });
      writeFileSync(join(folder, 'store', 'data.mdb'), damage(Buffer.from(bytes)));
      return { name, folder };
    }),
  );
  expect(cases.length).toBeGreaterThan(100);
  const ids = [...pages.keys()];
  const folders = cases.map(({ folder }) => folder);

  const first = await readAll(folders, ids);
  const died = folders.filter((folder) => first.get(folder)?.died !== undefined);
  const again = await readAll(died, ids);
  const rows = new Map<
    string,
    Record<'tried' | 'refused' | 'died' | 'missing' | 'lost' | 'unnamed', number>
  >();
  for (const { name, folder } of cases) {
    const row = rows.get(name) ?? { tried: 0, refused: 0, died: 0, missing: 0, lost: 0, unnamed: 0 };
    rows.set(name, row);
    const reading = again.get(folder) ?? (first.get(folder) as Reading);
    row.tried++;
    if (reading.error) row.refused++;
    if (died.includes(folder)) row.died++;
    // After a death the next process looks deeper, and says what is wrong.
    expect(reading.died, `${folder} ended the process twice`).toBeUndefined();
    for (const [id, read] of Object.entries(reading.pages))
      expect(read, `${folder}: ${id}`).toBe(sums.get(id));
    const unread = ids.filter((id) => reading.pages[id] === undefined).length;
    if (!reading.error) row.missing += unread;

    const report = await verifyFolder(folder);
    if (reading.error || unread > 0) expect(report.whole, folder).toBe(false);
    if (report.whole) continue;
    const repair = await repairStore(folder);
    const store = openPageStore(folder);
    for (const { id } of store.heads()) {
      const page = store.page(id);
      expect(page && sum(page), `${folder}: ${id}`).toBeDefined();
      // What was found apart may be the version before the last.
      if (repair.strayPages === 0) expect(page && sum(page), folder).toBe(sums.get(id));
    }
    const kept = new Set([...store.heads()].map(({ id }) => id));
    const lost = ids.filter((id) => !kept.has(id));
    row.lost += lost.length;
    // Whatever could be read before is there afterwards.
    for (const id of Object.keys(reading.pages)) expect(kept.has(id), `${folder}: ${id}`).toBe(true);
    for (const id of lost) {
      const isNamed = repair.dropped.includes(id) || repair.dropped.includes(pages.get(id)?.url ?? '');
      // A file that lost heads, texts and log cannot name what was in it.
      if (!isNamed) row.unnamed++;
      expect(isNamed || report.findings.length > 0, `${folder}: ${id}`).toBe(true);
    }
    await store.close();
    expect(await verifyFolder(folder), folder).toMatchObject({ whole: true });
    rmSync(folder, { recursive: true });
  }
  process.stdout.write(`${[...rows].map(([name, row]) => `${name}: ${JSON.stringify(row)}`).join('\n')}\n`);
}, 300_000);

test('a text that was put under another page, or is of another version, is not taken for its own', async () => {
  const folder = temporaryFolder();
  const store = openPageStore(folder);
  const [one, other] = [1, 2].map((n) =>
    examplePage({ url: `https://a.example/${n}`, body: `${n} `.repeat(3000) }),
  ) as [Page, Page];
  await store.write((writer) => [one, other].forEach(writer.putPage));
  await store.close();
  const path = join(folder, 'store', 'data.mdb');
  cpSync(path, `${path}.copy`);
  const root = open({ path: join(folder, 'store'), maxDbs: 64 });
  const texts = root.openDB<{ headings: string; body: string }, string>({ name: 'texts', compression: true });
  await texts.put(one.id, texts.get(other.id) as { headings: string; body: string });
  await root.close();
  const damaged: string[] = [];
  const reopened = openPageStore(folder, { onDamage: (id) => damaged.push(id) });
  onTestFinished(() => reopened.close());
  expect(reopened.page(one.id)).toBeUndefined();
  expect(reopened.page(one.id)).toBeUndefined();
  expect(reopened.page(other.id)).toEqual(other);
  expect(damaged).toEqual([one.id]);
  expect(reopened.damageOf(one.id)).toMatch(/not what was stored/);
  expect(reopened.has(one.id)).toBe(false);
  await reopened.write((writer) => writer.putPage(one));
  expect(reopened.page(one.id)).toEqual(one);
  expect(reopened.damageOf(one.id)).toBeUndefined();
  expect(reopened.has(one.id)).toBe(true);
});

test('a damaged beginning of a long text is not shown: the text is read instead', async () => {
  const folder = temporaryFolder();
  const store = openPageStore(folder);
  onTestFinished(() => store.close());
  const page = examplePage({ url: 'https://a.example/book', body: 'A heron in the pond. '.repeat(9000) });
  await store.write((writer) => writer.putPage(page));
  const whole = store.beginning(page.id);
  expect(whole?.page.body.length).toBeLessThan(page.body.length);
  const root = open({ path: join(folder, 'store'), maxDbs: 64 });
  const beginnings = root.openDB<object, string>({ name: 'beginnings', compression: true });
  await beginnings.put(page.id, { ...beginnings.get(page.id), body: 'An egret in the pond.' });
  await root.close();
  await expect.poll(() => store.beginning(page.id)?.page.body).toBe(page.body);
  const { findings } = await verifyFolder(folder);
  expect(findings).toEqual([
    { part: 'pages', what: `${page.url}: the copy of its beginning is not what was stored` },
  ]);
});
