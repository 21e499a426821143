import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Who may import whom, besides themselves and what everybody may: the table of ARCHITECTURE.md. */
const mayImport: Record<string, readonly string[]> = {
  'src/contract': [],
  'src/async': [],
  'src/text': [],
  'src/query': ['src/text'],
  'src/limits': [],
  'src/store': ['src/text'],
  'src/index': ['src/query', 'src/text', 'src/store'],
  'src/external': [
    'src/limits',
    'src/query',
    'src/text',
    'src/crawl/fetch/flatten-headers.ts',
    'src/crawl/fetch/network-failure.ts',
    'src/crawl/fetch/response-body.ts',
    'src/crawl/fetch/retry-after.ts',
  ],
  'src/extract': ['src/text'],
  'src/crawl': ['src/limits', 'src/extract', 'src/store'],
  'src/import': ['src/crawl', 'src/extract', 'src/store'],
  'src/engine': [
    'src/query',
    'src/text',
    'src/index',
    'src/store',
    'src/external',
    'src/crawl/visit-and-keep.ts',
  ],
  tools: ['src/engine', 'src/text/line', 'src/text/characters.ts'],
  'src/http': ['src/engine', 'src/limits', 'src/text/line', 'tools', 'src/nearest-name.ts'],
  'src/mcp': ['src/engine', 'src/limits', 'src/text/line', 'tools'],
};
const everybodyMayImport = ['src/async', 'src/contract', 'src/page.ts', 'src/runtime.ts', 'src/setting.ts'];

/** Packages that only these places may import. */
const packageHomes: Record<string, readonly string[]> = {
  minisearch: ['src/index'],
  '@opensearch-project/opensearch': ['src/index/opensearch/cluster-client.ts'],
  lmdb: ['src/store'],
  jose: ['src/http/security/access-tokens.ts'],
  undici: ['src/runtime.ts', 'src/crawl/fetch/guarded-agent.ts'],
  'playwright-core': ['src/crawl/render'],
  'p-limit': ['src/limits/throttle.ts'],
  '@modelcontextprotocol/sdk': ['src/mcp/legacy'],
  '@modelcontextprotocol/server': ['src/mcp/modern'],
  hono: ['src/http'],
  'markdown-it': ['src/extract/markdown/markdown-html.ts', 'src/http/pages/docs.ts'],
  '@hono/node-server': ['src/http'],
  'prom-client': ['src/http/metrics'],
};

const files = ['src', 'tools'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.d)\.ts$/.test(file))
    .map((file) => join(folder, file)),
);
const importsOf = (file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g)].map(
    ([, specifier]) => specifier as string,
  );
const isIn = (file: string, place: string): boolean => file === place || file.startsWith(`${place}/`);

test('the sources are found', () => {
  expect(files).toContain('src/main.ts');
  expect(importsOf('src/main.ts')).toContain('./cli/serve.ts');
});

test('every folder imports only what the table allows', () => {
  const wrong: string[] = [];
  for (const file of files) {
    const home = Object.keys(mayImport).find((folder) => isIn(file, folder));
    if (home === undefined) continue;
    const allowed = [home, ...(mayImport[home] ?? []), ...everybodyMayImport];
    for (const specifier of importsOf(file).filter((name) => name.startsWith('.'))) {
      const target = normalize(join(dirname(file), specifier));
      if (!allowed.some((place) => isIn(target, place))) wrong.push(`${file} imports ${target}`);
    }
  }
  expect(wrong).toEqual([]);
});

/** Where the parts meet: these may import anything, and nothing in the table imports them. */
const compositionFolders = ['src/app', 'src/cli', 'src/config'];

/** The groups of files that import each other, directly or through others; types count as well. */
function circlesOf(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const reachable = (from: string): Set<string> => {
    const reached = new Set<string>();
    const waiting = [...(imports.get(from) ?? [])];
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      if (reached.has(file)) continue;
      reached.add(file);
      waiting.push(...(imports.get(file) ?? []));
    }
    return reached;
  };
  const reachableFrom = new Map([...imports.keys()].map((file) => [file, reachable(file)]));
  const circles = [...imports.keys()].map((file) =>
    [...imports.keys()].filter(
      (other) => reachableFrom.get(file)?.has(other) && reachableFrom.get(other)?.has(file),
    ),
  );
  return circles.filter((circle, index) => circle[0] === [...imports.keys()][index]);
}

test('no file imports itself through others', () => {
  const target = (file: string, specifier: string) => normalize(join(dirname(file), specifier));
  const imports = new Map(
    files.map((file) => [file, importsOf(file).map((specifier) => target(file, specifier))]),
  );
  expect(circlesOf(imports)).toEqual([]);
});

test('a circle of imports is noticed', () => {
  const imports = new Map([
    ['a', ['b']],
    ['b', ['c']],
    ['c', ['a', 'd']],
    ['d', []],
    ['e', ['e', 'a']],
  ]);
  expect(circlesOf(imports)).toEqual([['a', 'b', 'c'], ['e']]);
});

test('every folder below src is in the table, or is one where the parts meet', () => {
  const folders = new Set(files.filter((file) => file.split('/').length > 2).map((file) => dirname(file)));
  const unknown = [...folders].filter(
    (folder) =>
      !compositionFolders.some((home) => isIn(folder, home)) &&
      !Object.keys(mayImport).some((home) => isIn(folder, home)),
  );
  expect(unknown).toEqual([]);
});

/** A folder with more is hard to look through. */
const maxFilesPerFolder = 20;

test('no folder holds more files of its own than one looks through', () => {
  const all = ['src', 'tools', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => dirname(join(folder, file))),
  );
  const counts = new Map<string, number>();
  for (const folder of all) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > maxFilesPerFolder)).toEqual([]);
});

test('a package that has a home is imported nowhere else', () => {
  const wrong: string[] = [];
  for (const file of files) {
    for (const specifier of importsOf(file)) {
      const home = Object.keys(packageHomes).find((name) => isIn(specifier, name));
      if (home && !packageHomes[home]?.some((place) => isIn(file, place)))
        wrong.push(`${file} imports ${specifier}`);
    }
  }
  expect(wrong).toEqual([]);
});

/** A folder of many files with one way in. */
const entryPoints: Record<string, string> = { 'src/extract/documents': 'src/extract/documents/index.ts' };

test('a folder with an entry point is entered there alone', () => {
  const wrong: string[] = [];
  for (const [folder, entry] of Object.entries(entryPoints)) {
    for (const file of files.filter((name) => !isIn(name, folder))) {
      for (const specifier of importsOf(file).filter((name) => name.startsWith('.'))) {
        const target = normalize(join(dirname(file), specifier));
        if (isIn(target, folder) && target !== entry) wrong.push(`${file} imports ${target}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});

test('no source knows where the build is', () => {
  const knowing = files.filter((file) => /\/dist\//.test(readFileSync(join(root, file), 'utf8')));
  expect(knowing).toEqual([]);
});

test('only the command line reads the environment', () => {
  const readers = files.filter((file) => /process\.env\b/.test(readFileSync(join(root, file), 'utf8')));
  expect(readers).toEqual(['src/main.ts']);
});

test('every dependency has its line in ARCHITECTURE.md', () => {
  const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const names = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.devDependencies)];
  const untold = names.filter((name) => !name.startsWith('@types/') && !text.includes(`\`${name}\``));
  expect(untold).toEqual([]);
});

test('the table of ARCHITECTURE.md is this one', () => {
  const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8').split(/^## /m)[1] ?? '';
  const rows = [...text.matchAll(/^\| `([^`]+)` \| ([^|]*) \|$/gm)].map(([, folder, list]) => [
    folder,
    [...(list as string).matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  ]);
  const short = (place: string) => place.replace('src/', '');
  expect(Object.fromEntries(rows)).toEqual(
    Object.fromEntries(Object.entries(mayImport).map(([folder, list]) => [short(folder), list.map(short)])),
  );
});
