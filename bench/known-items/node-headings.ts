import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { headingsOf } from './headings.ts';
import { dottedItem, type Item } from './item.ts';

/** Node's reference is its own index: each class, function and property has a heading, `fs.readFile(path[, options])`. */
export function* nodeHeadings(folder: string): Generator<Item> {
  for (const page of readdirSync(folder)) {
    if (!page.endsWith('.html') || page === 'all.html') continue;
    for (const heading of headingsOf(readFileSync(join(folder, page), 'utf8'))) {
      const name = /^(?:Class: |Static method: |new )?([A-Za-z_$][\w$]*(?:\.[\w$]+)*)(\(|$)/.exec(heading);
      const dotted = name?.[1] ?? '';
      const isClass = /^Class: /.test(heading);
      if (isClass || dotted.includes('.') || (name?.[2] === '(' && dotted !== ''))
        yield dottedItem(dotted, '.', page);
    }
  }
}
