import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeEntities } from './headings.ts';
import { dottedItem, type Item, termItem } from './item.ts';

/**
 * Git's commands by the names of their pages, and its settings (`rebase.autoSquash`), which git-config and the page of
 * the command both explain, by the definition lists that they stand in.
 */
export function* gitNames(folder: string): Generator<Item> {
  for (const page of readdirSync(folder)) {
    if (!page.endsWith('.html')) continue;
    if (/^git-[a-z-]+\.html$/.test(page)) yield termItem(page.replace('.html', ''), page);
    const html = readFileSync(join(folder, page), 'utf8');
    for (const [, definition = ''] of html.matchAll(/<dt class="hdlist1">([\s\S]*?)<\/dt>/g)) {
      const term = decodeEntities(definition.replace(/<[^>]*>/g, '')).trim();
      if (/^[a-z]\w*(?:\.\w+)+$/.test(term)) yield dottedItem(term, '.', page);
    }
  }
}
