import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createProviderHealthRecorder } from '../../src/external/provider-health.ts';
import { pack } from '../../src/index/packed/pack.ts';
import { indexFolderOf } from '../../src/index/packed/read-ahead.ts';
import { silentLog } from '../../src/runtime.ts';
import { opennessWarning } from '../../src/store/lmdb/openness-warning.ts';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { isReadableByOthers } from '../../src/store/private-files.ts';
import { examplePage } from '../pages.ts';
import { runGleaner, startGleaner } from '../process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

/** Every file and folder from here on, by the mode that it has. */
function modesBelow(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return Object.fromEntries(['', ...paths].map((path) => [path, modeOf(join(folder, path))]));
}

/** A store with a page, packed, and a note of a provider. */
async function fill(folder: string): Promise<void> {
  const store = openPageStore(folder);
  await store.write((writer) => writer.putPage(examplePage({ url: 'https://a.example/' })));
  pack(store, indexFolderOf(folder));
  await store.close();
  const health = createProviderHealthRecorder({
    file: join(folder, 'providers.json'),
    now: Date.now,
    log: silentLog,
  });
  health.observe('brave', { kind: 'ok', tookMs: 1 } as Parameters<typeof health.observe>[1]);
  await health.close();
}

/** That of a usual system: what is made is open to all unless it is asked for otherwise. */
function usualUmask(): void {
  const before = process.umask(0o022);
  onTestFinished(() => void process.umask(before));
}

/** One that other users can get into. */
function publicFolder(): string {
  const folder = temporaryFolder();
  chmodSync(folder, 0o755);
  return folder;
}

test('a new data folder and all that is made in it is for its user alone', async () => {
  usualUmask();
  const parent = publicFolder();
  const data = join(parent, 'new', 'data');
  await fill(data);
  const modes = modesBelow(data);
  const segment = Object.keys(modes).find((path) => path.endsWith('.seg'));
  expect(modes).toEqual({
    '': '700',
    store: '700',
    'store/data.mdb': '600',
    'store/lock.mdb': '600',
    index: '700',
    'index/manifest.json': '600',
    [segment as string]: '600',
    'providers.json': '600',
  });
  expect(modeOf(join(parent, 'new'))).toBe('755');
  expect(opennessWarning(data)).toBeUndefined();
});

test('an empty folder that was there is left as it is, what is made in it is private', async () => {
  usualUmask();
  const data = publicFolder();
  await fill(data);
  const { '': own, ...made } = modesBelow(data);
  expect(own).toBe('755');
  expect(Object.values(made).filter((mode) => mode !== '700' && mode !== '600')).toEqual([]);
  expect(opennessWarning(data)).toBeUndefined();
});

test('what several users share goes on being shared', async () => {
  usualUmask();
  const data = publicFolder();
  await fill(data);
  chmodSync(join(data, 'store'), 0o755);
  chmodSync(join(data, 'store/data.mdb'), 0o644);
  chmodSync(join(data, 'index'), 0o755);
  const store = openPageStore(data);
  await store.write((writer) => writer.putPage(examplePage({ url: 'https://b.example/' })));
  pack(store, indexFolderOf(data));
  await store.close();
  expect(modeOf(join(data, 'index/manifest.json'))).toBe('644');
  expect(modeOf(join(data, 'store/data.mdb'))).toBe('644');
});

test('others can read a file when every folder above lets them, and the file does', () => {
  const folder = publicFolder();
  const inner = join(folder, 'inner');
  const file = join(inner, 'file');
  mkdirSync(inner);
  writeFileSync(file, 'x');
  const when = (folderMode: number, fileMode: number) => {
    chmodSync(inner, folderMode);
    chmodSync(file, fileMode);
    return isReadableByOthers(file);
  };
  expect(when(0o755, 0o644)).toBe(true);
  expect(when(0o711, 0o604)).toBe(true);
  expect(when(0o750, 0o644)).toBe(false);
  expect(when(0o755, 0o640)).toBe(false);
  expect(isReadableByOthers(join(folder, 'none'))).toBe(false);
});

test('serve, mcp and keys warn of a store that everybody can read, and leave it so; search does not', async () => {
  usualUmask();
  const data = publicFolder();
  await fill(data);
  chmodSync(join(data, 'store'), 0o755);
  chmodSync(join(data, 'store/data.mdb'), 0o644);
  const warning = /every user of this machine can read the data folder .*: chmod -R go= /;

  const service = startGleaner(['serve', '--port', '0', '--data', data]);
  await service.says(warning);
  service.child.kill('SIGTERM');
  await service.finished;
  const clientInfo = { name: 'test', version: '0' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const call = { name: 'web_search', arguments: { q: 'heron' } };
  const messages = [
    { id: 1, method: 'initialize', params },
    { id: 2, method: 'tools/call', params: call },
  ].map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }));
  const client = await startGleaner(['mcp', '--data', data], messages.join('\n')).finished;
  expect(client.stderr).toMatch(warning);
  expect((await runGleaner('keys', 'create', 'team', '--data', data)).stderr).toMatch(warning);
  expect((await runGleaner('search', 'heron', '--data', data)).stderr).not.toMatch(warning);
  expect(modeOf(join(data, 'store/data.mdb'))).toBe('644');
});
