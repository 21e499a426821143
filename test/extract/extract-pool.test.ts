import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createExtractor } from '../../src/extract/extract.ts';
import { createExtractPool, type ExtractPoolOptions } from '../../src/extract/extract-pool.ts';
import { loadLanguageDetector } from '../../src/text/language/language.ts';
import { temporaryFolder } from '../temporary-folder.ts';

function openPool(options: ExtractPoolOptions = {}) {
  const pool = createExtractPool(options);
  onTestFinished(pool.close);
  return pool;
}

/** A worker module that answers as `code` says, which sees `fetched` and `reply`. */
function workerThat(code: string): URL {
  const file = join(temporaryFolder(), 'worker.mjs');
  writeFileSync(
    file,
    `import { parentPort } from 'node:worker_threads';
parentPort.on('message', (fetched) => { const reply = (why) => parentPort.postMessage({ kind: 'unreadable', why }); ${code} });`,
  );
  return pathToFileURL(file);
}

const fetched = (path: string, text = path) => ({
  url: `https://a.example${path}`,
  bytes: new Uint8Array(Buffer.from(text)),
  contentType: 'text/html; charset=utf-8',
});

test('a page is read as it would be without workers', async () => {
  const html = `<html lang="zh"><title>Owls</title><h1>Owls</h1><p>${'谷仓猫头鹰住在旧房子里。'.repeat(9)}</p><a href="/b">b</a>`;
  const extract = createExtractor({ detectLanguage: await loadLanguageDetector(), now: Date.now });
  const expected = await extract(fetched('/a', html));
  expect(expected.kind).toBe('page');
  expect(await openPool({ workers: 1 }).extract(fetched('/a', html))).toEqual(expected);
});

test('many pages on few threads come back each to who asked', async () => {
  const { extract } = openPool({ workers: 2, workerFile: workerThat('reply(fetched.url)') });
  const paths = Array.from({ length: 50 }, (_, i) => `/${i}`);
  const answers = await Promise.all(paths.map((path) => extract(fetched(path))));
  expect(answers.map((answer) => answer.kind === 'unreadable' && answer.why)).toEqual(
    paths.map((path) => `https://a.example${path}`),
  );
});

test.each([
  ['ends', 'process.exit(1)'],
  ['throws', "throw new Error('x')"],
  ['uses too much memory', 'const all = []; for (;;) all.push(new Array(1e6).fill({}))'],
])('a page whose worker %s is unreadable, and the others are read all the same', async (_, code) => {
  const workerFile = workerThat(`if (fetched.url.endsWith('/bad')) { ${code} } else reply('fine')`);
  // Filling the heap takes minutes on a machine that is busy enough.
  const { extract } = openPool({ workers: 1, workerFile, timeoutMs: 600_000 });
  const answers = await Promise.all(['/1', '/bad', '/2', '/3'].map((path) => extract(fetched(path))));
  expect(answers.map((answer) => answer.kind === 'unreadable' && answer.why)).toEqual([
    'fine',
    'could not be read',
    'fine',
    'fine',
  ]);
});

test('what a library throws on a page costs that page alone: its thread reads on', async () => {
  const extract = createExtractor({
    detectLanguage: () => {
      throw new RangeError('of a library');
    },
    now: Date.now,
  });
  expect(extract(fetched('/a', '<p>Owls'))).toEqual({ kind: 'unreadable', why: 'could not be read' });
  const nested =
    '<meta http-equiv="Content-Type" content="text/html; charset="utf-8""><h1>Owls</h1><p>At night.';
  const read = await openPool({ workers: 1 }).extract({ ...fetched('/b', nested), contentType: 'text/html' });
  expect(read).toMatchObject({ kind: 'page', page: { body: expect.stringContaining('At night.') } });
});

test('a page that takes too long is unreadable, and its thread is replaced', async () => {
  const workerFile = workerThat("if (fetched.url.endsWith('/bad')) for (;;); else reply('fine')");
  const { extract } = openPool({ workers: 1, timeoutMs: 1000, workerFile });
  const answers = await Promise.all(['/bad', '/2'].map((path) => extract(fetched(path))));
  expect(answers.map((answer) => answer.kind === 'unreadable' && answer.why)).toEqual([
    'took too long to read',
    'fine',
  ]);
});

test('closing ends what is being read and what waits', async () => {
  const pool = openPool({ workers: 1, workerFile: workerThat('') });
  const answers = ['/1', '/2'].map((path) => pool.extract(fetched(path)));
  await pool.close();
  for (const answer of await Promise.all([...answers, pool.extract(fetched('/3'))])) {
    expect(answer).toEqual({ kind: 'unreadable', why: 'the reader is closed' });
  }
});

test('a thread without work ends after a while, and the next page starts another', async () => {
  const workerFile = workerThat('globalThis.own ??= Math.random(); reply(String(globalThis.own));');
  const threadOf = async (pool: ReturnType<typeof openPool>) => {
    const extraction = await pool.extract(fetched('/a'));
    return extraction.kind === 'unreadable' ? extraction.why : undefined;
  };
  const lasting = openPool({ workers: 1, workerFile });
  expect(await threadOf(lasting)).toBe(await threadOf(lasting));
  const brief = openPool({ workers: 1, workerFile, idleMs: 1 });
  const first = await threadOf(brief);
  expect(Number(first)).toBeGreaterThan(0);
  await expect.poll(() => threadOf(brief)).not.toBe(first);
});
