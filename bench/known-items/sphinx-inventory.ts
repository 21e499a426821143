import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { dottedItem, type Item, linkedPath } from './item.ts';

/**
 * What is no name of its own: pages and labels, parts of a grammar, parameters and options of something else; and the
 * terms of a glossary, which other pages explain at greater length.
 */
const notNames =
  /^(?:std:(?:doc|label|token|cmdoption|term)|c:functionParam|rst:.*|cmake:(?:generator|guide))$/;

/**
 * The items of a Sphinx inventory, `objects.inv` version 2: four lines of header, then zlib-packed lines
 * `name domain:role priority uri display-name`, where `$` at the end of a URI stands for the name.
 */
export function* objectsInventory(folder: string): Generator<Item> {
  const bytes = readFileSync(join(folder, 'objects.inv'));
  let start = 0;
  for (let line = 0; line < 4; line++) start = bytes.indexOf(0x0a, start) + 1;
  for (const line of inflateSync(bytes.subarray(start)).toString('utf8').split('\n')) {
    const [, name = '', role = '', uri = ''] = /^(.+?)\s+(\S+:\S+)\s+-?\d+\s+(\S*)\s/.exec(line) ?? [];
    if (name === '' || notNames.test(role)) continue;
    const page = linkedPath(uri.replace(/\$$/, encodeURIComponent(name)), '');
    if (page === undefined) continue;
    if (role.startsWith('cmake:')) yield dottedItem(name.replace(/^\w+:|\(\d\)$/g, ''), '\0', page);
    else yield dottedItem(name, '.', page);
  }
}
