import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from './files-below.ts';
import type { Item } from './item.ts';

/** The names of manual pages: those before the dash of NAME, alone and with the section, `printf(3)`. */
export function* manPageNames(folder: string): Generator<Item> {
  for (const page of filesBelow(folder)) {
    const section = /\.(\d)\w*\.html$/.exec(page)?.[1];
    const html = readFileSync(join(folder, page), 'utf8');
    const names = /<h2>NAME<\/h2>\s*<p>\s*([^<]*?)\s+[-–—]\s/.exec(html)?.[1] ?? '';
    for (const name of names.split(/[\s,]+/).filter((name) => /^\w[\w.-]*$/.test(name))) {
      yield { kind: 'name', name, owners: [], separator: '', qualified: `${name}(${section})`, page };
    }
  }
}
