import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from './files-below.ts';
import { dottedItem, type Item } from './item.ts';

/** rustdoc 1.63: what the numbers in `t` and `p` mean. */
const types =
  'mod externcrate import struct enum fn type static trait impl tymethod method structfield variant macro primitive associatedtype constant associatedconstant union foreigntype keyword existential attr derive traitalias'.split(
    ' ',
  );

interface Crate {
  /** Type, name, module and parent of each item; an empty module is that of the item before. */
  readonly t: readonly number[];
  readonly n: readonly string[];
  readonly q: readonly string[];
  readonly i: readonly number[];
  /** Parents, counted from 1 in `i`: type and name. */
  readonly p: readonly (readonly [number, string])[];
}

/** Words of the language: no names, and no one types them alone. */
const leftOut = new Set(['externcrate', 'import', 'impl', 'keyword', 'primitive']);

/**
 * The items of `std` in rustdoc's search index (`search-index*.js`, the format of 1.63). An item that stands under
 * several modules, `std::collections::HashMap` and `std::collections::hash_map::HashMap`, leads to each of its pages:
 * they are pages of one name that point to the same lines of the source.
 */
export function* rustdoc(folder: string): Generator<Item> {
  const file = readdirSync(folder).find((name) => /^search-index.*\.js$/.test(name)) ?? 'search-index.js';
  const script = readFileSync(join(folder, file), 'utf8');
  const [, literal = ''] = /JSON\.parse\('([\s\S]*?)(?<!\\)'\)/.exec(script) ?? [];
  const json = literal.replace(/\\(\r?\n|.)/g, (_, escaped: string) => (/\s/.test(escaped) ? '' : escaped));
  const { std } = JSON.parse(json) as { std: Crate };
  const twins = twinsOf(folder);
  let module = 'std';
  for (const [index, name] of std.n.entries()) {
    module = std.q[index] || module;
    const type = types[std.t[index] ?? -1] ?? '';
    const parent = std.p[(std.i[index] ?? 0) - 1];
    if (leftOut.has(type)) continue;
    const [path, dotted] = placeOf({ module, name, type, parent });
    for (const page of twins(path)) yield dottedItem(dotted, '::', page);
  }
}

/** The page and the full name of an item, as rustdoc's own search makes them. */
function placeOf(item: {
  readonly module: string;
  readonly name: string;
  readonly type: string;
  readonly parent: readonly [number, string] | undefined;
}): [path: string, dotted: string] {
  const { module, name, type, parent } = item;
  const folder = module.replaceAll('::', '/');
  if (parent !== undefined) {
    const parentType = types[parent[0]] ?? '';
    if (type === 'structfield' && parentType === 'variant') {
      const [holder = '', choice = ''] = [
        module.split('::').slice(0, -1).join('/'),
        module.split('::').at(-1),
      ];
      return [`${holder}/enum.${choice}.html`, `${module}::${parent[1]}::${name}`];
    }
    const dotted = parentType === 'primitive' ? `${parent[1]}::${name}` : `${module}::${parent[1]}::${name}`;
    return [`${folder}/${parentType}.${parent[1]}.html`, dotted];
  }
  if (type === 'mod') return [`${folder}/${name}/index.html`, `${module}::${name}`];
  return [`${folder}/${type}.${name}.html`, `${module}::${name}`];
}

/** A page and the others that show the same item. */
function twinsOf(folder: string): (page: string) => readonly string[] {
  const keys = new Map<string, string>();
  const groups = new Map<string, string[]>();
  for (const page of filesBelow(join(folder, 'std')).map((path) => `std/${path}`)) {
    const file = /[^/]+\.[^/]+\.html$/.exec(page)?.[0];
    if (file === undefined) continue;
    const html = readFileSync(join(folder, page), 'utf8');
    const source = /class="srclink" href="(?:\.\.\/)*([^"]+)"/.exec(html)?.[1];
    if (source === undefined) continue;
    const key = `${file} ${source}`;
    keys.set(page, key);
    groups.set(key, [...(groups.get(key) ?? []), page]);
  }
  return (page) => groups.get(keys.get(page) ?? '') ?? (existsSync(join(folder, page)) ? [page] : []);
}
