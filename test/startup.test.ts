import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What a file loads by itself: imports and exports of values, not of types, and none that waits to be called. */
function loadedBy(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const statements = text.matchAll(/^(?:import|export)\s+(?!type\b)(?:[^;'"]*?\bfrom\s+)?'([^']+)'/gm);
  return [...statements].map(([, specifier]) => specifier as string);
}

/** Every file of ours and every package that is loaded with one. */
function closureOf(start: string): { files: Set<string>; packages: Set<string> } {
  const files = new Set<string>();
  const packages = new Set<string>();
  const visit = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    for (const specifier of loadedBy(file)) {
      if (specifier.startsWith('.')) visit(normalize(join(dirname(file), specifier)));
      else if (!specifier.startsWith('node:')) packages.add(specifier);
    }
  };
  visit(start);
  return { files, packages };
}

const isIn = (folder: string) => (file: string) => file.startsWith(`${folder}/`);

test('the files are followed', () => {
  const { files, packages } = closureOf('src/mcp/offered-tools.ts');
  for (const file of files) expect(existsSync(join(root, file))).toBe(true);
  expect(files).toContain('tools/web-search.ts');
  expect(packages).toContain('zod');
  expect(closureOf('src/app/app.ts').packages).toContain('lmdb');
});

test.each(['src/cli/mcp.ts', 'src/mcp/legacy/stdio.ts', 'src/mcp/modern/stdio.ts'])(
  '%s, which a client waits for, loads neither tools nor index nor store nor what asks others',
  (start) => {
    const { files, packages } = closureOf(start);
    for (const folder of ['src/index', 'src/store', 'src/crawl', 'src/extract', 'src/http']) {
      expect([...files].filter(isIn(folder))).toEqual([]);
    }
    expect([...files].filter(isIn('tools')).sort()).toEqual(
      start.includes('stdio') ? [] : ['tools/icon.ts', 'tools/server-facts.ts'],
    );
    // Names alone, which the command line has loaded already.
    const names = ['src/external/provider-facts.ts'].filter(() => start === 'src/cli/mcp.ts');
    expect([...files].filter(isIn('src/external'))).toEqual(names);
    for (const heavy of ['undici', 'lmdb', 'minisearch', 'hono', 'pino'])
      expect(packages).not.toContain(heavy);
    // Stemmers and lists of function words are fifty files.
    expect([...packages].filter((name) => name.startsWith('@orama/'))).toEqual([]);
  },
);

test('only the SDK of the revision that a client asks for is loaded', () => {
  const sdksOf = (start: string) =>
    new Set(
      [...closureOf(start).packages].flatMap((name) => /^@modelcontextprotocol\/[^/]+/.exec(name) ?? []),
    );
  expect(sdksOf('src/cli/mcp.ts')).toEqual(new Set());
  expect(sdksOf('src/mcp/http.ts')).toEqual(new Set());
  expect(sdksOf('src/mcp/legacy/stdio.ts')).toEqual(new Set(['@modelcontextprotocol/sdk']));
  expect(sdksOf('src/mcp/modern/stdio.ts')).toEqual(new Set(['@modelcontextprotocol/server']));
});

test('the command line loads nothing heavy before it knows the command', () => {
  const { files, packages } = closureOf('src/main.ts');
  expect([...packages].sort()).toEqual(['commander', 'zod']);
  expect([...files].filter((file) => isIn('src/external')(file)).sort()).toEqual([
    'src/external/provider-facts.ts',
    'src/external/secret.ts',
    'src/external/settings.ts',
  ]);
});

test('the app loads the back end of a cluster, and its client, only when that is chosen', () => {
  const { files, packages } = closureOf('src/app/app.ts');
  expect([...files].filter(isIn('src/index/opensearch'))).toEqual([]);
  expect(closureOf('src/app/cluster-back-end.ts').files).toContain('src/index/opensearch/cluster-client.ts');
  expect(packages).not.toContain('@opensearch-project/opensearch');
  for (const command of ['serve', 'mcp', 'search', 'crawl/crawl', 'status', 'http-service'])
    expect([...closureOf(`src/cli/${command}.ts`).files].filter(isIn('src/index/opensearch'))).toEqual([]);
});

test('the app loads what asks others, and what visits pages, only when that is needed', () => {
  const { files, packages } = closureOf('src/app/app.ts');
  const loaded = [...files].filter((file) => isIn('src/external')(file) || isIn('src/crawl')(file));
  expect(loaded).toEqual([]);
  for (const heavy of ['undici', 'eld/medium', 'htmlparser2']) expect(packages).not.toContain(heavy);
});
