import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeEntities } from './headings.ts';
import { dottedItem, type Item, linkedPath } from './item.ts';

/** The keywords of a devhelp book (version 2), whose links stand below `below` in the site. */
export function* devhelp(folder: string, file: string, below: string): Generator<Item> {
  const xml = readFileSync(join(folder, file), 'utf8');
  for (const [, attributes = ''] of xml.matchAll(/<keyword\b([^>]*)>/g)) {
    const attribute = (name: string): string =>
      decodeEntities(new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? '');
    const name = attribute('name').replace(/^(?:struct|enum|union)\s+|\s*\(\)$/g, '');
    const page = linkedPath(attribute('link'), below);
    if (page !== undefined && /^~?[A-Za-z_][\w:~]*$/.test(name)) yield dottedItem(name, '::', page);
  }
}
