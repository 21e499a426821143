import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeEntities } from './headings.ts';
import { type Item, linkedPath, termItem } from './item.ts';

/**
 * The terms of Sphinx's general index, `genindex*.html`: the entries that authors wrote (their anchors are `index-N`)
 * and that stand on the first level with pages of their own. Names with brackets, `abort() (built-in function)`, are
 * in the inventory.
 */
export function* generalIndex(folder: string): Generator<Item> {
  for (const file of readdirSync(folder)) {
    if (!/^genindex(?:-.+)?\.html$/.test(file) || file === 'genindex-all.html') continue;
    const html = readFileSync(join(folder, file), 'utf8');
    for (const column of html.split(/<td style="[^"]*vertical-align: top;?"><ul>/).slice(1)) {
      for (const entry of firstLevel(column)) {
        const links = [...entry.matchAll(/<a href="([^"#]+)#index-\d+">([^<]*)<\/a>/g)];
        const term = decodeEntities(links[0]?.[2] ?? '');
        if (!/^\p{L}[\p{L} '-]*$/u.test(term)) continue;
        for (const [, href = ''] of links) {
          const page = linkedPath(href, file);
          if (page !== undefined) yield termItem(term, page);
        }
      }
    }
  }
}

/** The first line of each `<li>` that does not stand in another one. */
function firstLevel(list: string): string[] {
  let depth = 0;
  const entries: string[] = [];
  for (const part of list.split(/(?=<\/?(?:ul|li|table)\b)/)) {
    if (part.startsWith('<ul')) depth++;
    if (part.startsWith('</ul')) depth--;
    if (depth < 0) break;
    if (part.startsWith('<li') && depth === 0) entries.push(part);
  }
  return entries;
}
