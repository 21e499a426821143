import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

const sourcesOf = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.d)\.ts$/.test(file))
    .map((file) => join(folder, file));
const texts = new Map(
  ['src', 'tools', 'test', 'bench']
    .flatMap(sourcesOf)
    .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
);
const isOurs = (file: string): boolean => /^(?:src|tools)\//.test(file);

/** The values that a file exports by name. */
function exportsOf(text: string): string[] {
  const declared = text.matchAll(/^export (?:async )?(?:const|let|function\*?|class) (\w+)/gm);
  const listed = [...text.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, list]) =>
    (list as string)
      .split(',')
      .map((part) => (part.trim().startsWith('type ') ? '' : (part.trim().split(' as ').at(-1) ?? ''))),
  );
  return [...[...declared].map(([, name]) => name as string), ...listed].filter((name) => name !== '');
}

/** The values and types that a file declares and exports. */
function declaredIn(text: string): string[] {
  const declared = /^export (?:async )?(?:const|let|function\*?|class|interface|type) (\w+)/gm;
  return [...text.matchAll(declared)].map(([, name]) => name as string);
}

/** Which names of which file this file imports; those of a dynamic import may be any word of the file. */
function importsOf(file: string, text: string): Map<string, Set<string>> {
  const imported = new Map<string, Set<string>>();
  const add = (specifier: string, names: Iterable<string>): void => {
    const target = normalize(join(dirname(file), specifier));
    const known = imported.get(target) ?? new Set();
    for (const name of names) known.add(name);
    imported.set(target, known);
  };
  for (const [, list, specifier] of text.matchAll(
    /^(?:import|export)\s+(?:type\s+)?(?:\w+,\s*)?\{([^}]*)\}\s+from\s+'(\.[^']+)'/gm,
  )) {
    const names = (list as string).split(',').map((part) => part.trim().replace(/^type\s+/, ''));
    add(
      specifier as string,
      names.map((name) => name.split(' as ')[0] as string),
    );
  }
  for (const [, dynamic, namespace] of text.matchAll(
    /\bimport\(\s*'(\.[^']+)'|^import \* as \w+ from '(\.[^']+)'/gm,
  ))
    add(dynamic ?? namespace ?? '', text.match(/\w+/g) ?? []);
  return imported;
}

// Types are exported wherever an exported function names them, so that a caller can name them, too.
test('every exported value is imported somewhere', () => {
  const wanted = new Map<string, Set<string>>();
  for (const [file, text] of texts) {
    for (const [target, names] of importsOf(file, text))
      wanted.set(target, new Set([...(wanted.get(target) ?? []), ...names]));
  }
  const found = [...texts]
    .filter(([file]) => isOurs(file))
    .flatMap(([file, text]) =>
      exportsOf(text)
        .filter((name) => !wanted.get(file)?.has(name))
        .map((name) => `${file} ${name}`),
    );
  expect(found).toEqual([]);
});

test('an exported name stands for one thing', () => {
  const homes = new Map<string, string[]>();
  for (const [file, text] of [...texts].filter(([name]) => isOurs(name)))
    for (const name of new Set(declaredIn(text))) homes.set(name, [...(homes.get(name) ?? []), file]);
  expect([...homes].filter(([, files]) => files.length > 1)).toEqual([]);
});

test('exports and imports are found', () => {
  expect(exportsOf(texts.get('src/config/config.ts') ?? '')).toContain('readConfig');
  const imports = importsOf('src/cli/serve.ts', texts.get('src/cli/serve.ts') ?? '');
  expect([...imports.keys()]).toContain('src/config/config.ts');
});
