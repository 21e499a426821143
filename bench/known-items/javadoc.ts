import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dottedItem, type Item } from './item.ts';

/** An entry of javadoc's search index: module, package, class, label, and the URL if it does not follow from them. */
interface Entry {
  readonly m?: string;
  readonly p?: string;
  readonly c?: string;
  readonly l: string;
  readonly u?: string;
}

/** Packages, types and members of javadoc's search index (JDK 9 and later); constructors go with their types. */
export function* javadoc(folder: string): Generator<Item> {
  const read = (name: string): Entry[] => {
    const script = readFileSync(join(folder, `${name}-search-index.js`), 'utf8');
    return JSON.parse(script.slice(script.indexOf('['), script.lastIndexOf(']') + 1));
  };
  const modules = new Map(read('package').map(({ l, m }) => [l, m]));
  const pageOf = (packageName: string, type: string): string => {
    const module = modules.get(packageName);
    return `${module ? `${module}/` : ''}${packageName.replaceAll('.', '/')}/${type}.html`;
  };
  for (const { l: name, u } of read('package'))
    if (u === undefined) yield dottedItem(name, '.', pageOf(name, 'package-summary'));
  for (const { p, l, u } of read('type'))
    if (p !== undefined && u === undefined) yield dottedItem(`${p}.${l}`, '.', pageOf(p, l));
  for (const { p = '', c = '', l } of read('member')) {
    const name = l.replace(/\(.*/, '');
    if (name !== c.split('.').at(-1)) yield dottedItem(`${p}.${c}.${name}`, '.', pageOf(p, c));
  }
}
