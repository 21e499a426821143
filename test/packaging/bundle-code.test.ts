import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { createPageWriter } from '../../src/store/page-writer.ts';
import { examplePage } from '../pages.ts';
import { startGleaner } from '../process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'dist/bundle');
/** The files of this build: those of earlier ones may still be there. */
function texts(): (readonly [name: string, text: string])[] {
  const reached = new Map<string, string>();
  const waiting = ['main.js'];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (reached.has(name)) continue;
    const text = readFileSync(join(folder, name), 'utf8');
    reached.set(name, text);
    for (const [, next] of text.matchAll(/"\.\/([\w-]+\.js)"/g))
      if (existsSync(join(folder, next as string))) waiting.push(next as string);
  }
  return [...reached];
}

/** The URLs of all code that a search through `gleaner mcp` loads, from the start of the process to its end. */
async function loadedBySearch(): Promise<string[]> {
  const data = temporaryFolder();
  const store = openPageStore(data);
  await createPageWriter({ store }).put(examplePage({ url: 'https://example.org/', body: 'About lichens.' }));
  await store.close();
  const clientInfo = { name: 'test', version: '0' };
  const messages = [
    { id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: { name: 'web_search', arguments: { q: 'lichens', limit: 1 } } },
  ];
  const piped = messages.map((message) => JSON.stringify({ jsonrpc: '2.0', ...message })).join('\n');
  const coverage = temporaryFolder();
  const { finished } = startGleaner(['mcp', '--data', data], piped, { NODE_V8_COVERAGE: coverage });
  const { stdout, stderr } = await finished;
  expect(stdout, stderr).toContain('example.org');
  const reports = readdirSync(coverage).map((file) => readFileSync(join(coverage, file), 'utf8'));
  return reports.flatMap((report) =>
    (JSON.parse(report) as { result: { url: string }[] }).result.map(({ url }) => url),
  );
}

test('a first search through gleaner mcp reads few files of ours, and no package that it does not need', async () => {
  const loaded = await loadedBySearch();
  const below = (place: string) =>
    loaded.flatMap((url) => url.split(pathToFileURL(join(root, place, '/')).href)[1] ?? []);
  expect(below('dist/bundle')).toContain('main.js');
  expect(below('dist/bundle').length).toBeLessThanOrEqual(5);
  // The compiler's files are for threads and processes of their own: beside the bundle, they would be loaded twice.
  expect(below('dist/src')).toEqual(['late-optimizing.js']);
  expect(below('dist/tools')).toEqual([]);
  const packages = new Set(below('node_modules').map((path) => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]));
  expect(packages).toContain('lmdb');
  for (const heavy of ['undici', 'hono', 'pdfjs-dist', 'htmlparser2', 'eld', 'jose', 'pino'])
    expect(packages).not.toContain(heavy);
});

test('every file that the code names by its URL is there', () => {
  const named = texts().flatMap(([, text]) =>
    [...text.matchAll(/new URL\("(\.[^"]+)", new URL\("([^"]+)", import\.meta\.url\)\.href\)/g)].map(
      ([, file, base]) => new URL(file as string, new URL(base as string, pathToFileURL(join(folder, '/')))),
    ),
  );
  // Threads, processes, the program itself, the script of the pages for people.
  expect(named.length).toBeGreaterThanOrEqual(7);
  expect(named.filter((url) => !existsSync(url))).toEqual([]);
});

test('no module keeps a URL of the file that it is bundled into', () => {
  const bare = texts().flatMap(([, text]) => text.match(/^(?!.*"\.\.\/src\/).*import\.meta.*$/gm) ?? []);
  expect(bare).toEqual([]);
});

test('what is loaded when it is needed is in files of its own, and all packages are declared', () => {
  const names = texts().map(([name]) => name.replace(/-[\w-]{8}\.js$/, ''));
  expect(names).toEqual(expect.arrayContaining(['search', 'http-service', 'documents', 'cluster-back-end']));
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const statement = /^(?:import|export) [^;]*?"([^"]+)";|\bimport\("([^"]+)"\)/gm;
  const specifiers = texts().flatMap(([, text]) =>
    [...text.matchAll(statement)].map(([, a, b]) => a ?? b ?? ''),
  );
  const packages = new Set(
    specifiers.flatMap((name) => /^(?!node:|\.)(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? []),
  );
  expect(packages).toContain('zod');
  const declared = Object.keys({ ...dependencies, ...peerDependencies });
  expect([...packages].filter((name) => !declared.includes(name))).toEqual([]);
  const imported = (statement: string) => texts().filter(([, text]) => text.includes(statement)).length;
  expect(imported('from "commander"')).toBeGreaterThan(0);
  expect(imported('from "@opensearch-project/opensearch"')).toBe(0);
  expect(imported('import("@opensearch-project/opensearch")')).toBe(1);
});

test('names stay as they are, so that a stack trace can be read', () => {
  const search = texts()
    .filter(([name]) => /^search-/.test(name))
    .map(([, text]) => text)
    .join('\n');
  expect(search).toMatch(/^function createEngine\(/m);
});

test('a build of the same sources writes no file, and keeps those of the one before for a while', () => {
  const written = () => texts().map(([name]) => [name, statSync(join(folder, name)).ino]);
  const before = written();
  const [recent, old] = ['recent', 'old'].map((name) => join(folder, `of-a-test-${name}-00000000.js`));
  for (const path of [recent, old] as string[]) writeFileSync(path, '');
  onTestFinished(() => rmSync(recent as string, { force: true }));
  utimesSync(old as string, 0, 0);
  execFileSync(process.execPath, [join(root, 'dist/packaging/bundle-code.js')]);
  expect(written()).toEqual(before);
  expect([existsSync(recent as string), existsSync(old as string)]).toEqual([true, false]);
});
