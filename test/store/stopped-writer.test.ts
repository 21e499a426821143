import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { examplePage } from '../pages.ts';
import { runGleaner, startGleaner, startProcess } from '../process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const lockHolder = fileURLToPath(new URL('./lock-holder.mjs', import.meta.url));

/** A process that is stopped in the middle of a write, and how it goes on. */
async function stoppedWriter() {
  const folder = temporaryFolder();
  const filled = openPageStore(folder);
  await filled.write((writer) => writer.putPage(examplePage({ url: 'https://a.example/', body: 'heron' })));
  await filled.close();
  const until = join(folder, 'go');
  const holder = startProcess(process.execPath, [lockHolder, folder, until]);
  await holder.says(/held/);
  holder.child.kill('SIGSTOP');
  const goOn = async (): Promise<void> => {
    writeFileSync(until, '');
    holder.child.kill('SIGCONT');
    await holder.says(/committed/);
  };
  return { folder, goOn, pid: holder.child.pid as number };
}

test('beside a writer that is stopped a store opens and is read, a write says for whom it waits and is given up, and goes through afterwards', async () => {
  const { folder, goOn, pid } = await stoppedWriter();
  const words: string[] = [];
  const store = openPageStore(folder, { warn: (message) => words.push(message) });
  onTestFinished(() => store.close());
  expect(store.pageCount()).toBe(1);
  expect([...store.heads()]).toHaveLength(1);
  const numbers = store.table<number>('numbers');
  expect(numbers.get('one')).toBeUndefined();
  await expect(store.write((writer) => writer.put(numbers, 'two', 2))).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining(`process ${pid}`),
  });

  let turns = 0;
  const turning = setInterval(() => {
    turns += 1;
  }, 50);
  let ran = false;
  const edit = store.edit((writer) => {
    ran = true;
    writer.put(numbers, 'three', 3);
  });
  await expect(edit).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 });
  clearInterval(turning);
  expect(turns).toBeGreaterThan(20);
  expect(words.join()).toContain(`waiting for the lock of the data folder, held by process ${pid}`);
  if (process.platform === 'linux') expect(words.join()).toContain('which is stopped');
  expect(store.health().kind).toBe('read-only');
  // While the thread still waits, nothing else waits with it.
  await expect(store.edit((writer) => writer.put(numbers, 'four', 4))).rejects.toMatchObject({
    code: 'unavailable',
  });

  await goOn();
  await expect.poll(() => store.health().kind).toBe('ok');
  expect(ran).toBe(false);
  await store.write((writer) => writer.put(numbers, 'five', 5));
  expect([...numbers.entries()].map(([key]) => key)).toEqual(['five', 'one']);
});

test('beside a writer that is stopped commands that read answer, and one that writes gives up with words', async () => {
  const { folder, goOn, pid } = await stoppedWriter();
  expect((await runGleaner('status', '--data', folder)).stdout).toContain('Pages: 1');
  expect((await runGleaner('search', 'heron', '--data', folder)).stdout).toContain('1 page');
  const keys = await runGleaner('keys', 'create', 'me', '--data', folder);
  // An older Node ends with a thread that waits only by SIGKILL.
  expect(keys.code).toBe('execve' in process ? 1 : null);
  expect(keys.stdout).toBe('');
  expect(keys.stderr).toContain(`waiting for the lock of the data folder, held by process ${pid}`);
  expect(keys.stderr).toContain('nothing could be written');
  await goOn();
  expect((await runGleaner('keys', 'create', 'me', '--data', folder)).stdout).toMatch(/^gl_/);
}, 60_000);

test('a process that exits while a write waits for the lock ends at once', async () => {
  const { folder } = await stoppedWriter();
  const store = JSON.stringify(new URL('../../dist/src/store/lmdb-store.js', import.meta.url).href);
  const script = `
    import { openPageStore } from ${store};
    openPageStore(${JSON.stringify(folder)}).edit(() => {});
    setTimeout(() => process.exit(3), 300);`;
  const { finished } = startProcess(process.execPath, ['--input-type=module', '-e', script]);
  expect((await finished).code).toBe('execve' in process ? 3 : null);
});

test('a service beside a writer that is stopped starts, answers, and stops', async () => {
  const { folder } = await stoppedWriter();
  const service = startGleaner(['serve', '--port', '0', '--data', folder], 'open', { GLEANER_LEARN: '1' });
  const [, url] = await service.says(/listens on (\S+)/);
  const ask = async (path: string) => (await fetch(new URL(path, url))).json();
  await expect.poll(() => ask('/readyz')).toMatchObject({ status: 'ready' });
  expect(await ask('/healthz')).toEqual({ status: 'ok' });
  expect(await ask('/api/v1/search?q=heron')).toMatchObject({ total: 1 });
  service.child.kill('SIGTERM');
  await service.finished;
}, 60_000);
