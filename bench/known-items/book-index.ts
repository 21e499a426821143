import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeEntities } from './headings.ts';
import { type Item, linkedPath, termItem } from './item.ts';

/** The terms of DocBook's `bookindex.html` that have pages of their own, on the first level. */
export function* bookIndex(folder: string, file: string): Generator<Item> {
  const html = readFileSync(join(folder, file), 'utf8');
  for (const [, term = '', links = ''] of html.matchAll(/<dt id="ientry-[^"]*">([^<]*), (.*?)<\/dt>/g))
    yield* itemsOf(term, links, file);
}

/** The terms of an index that is a list of `<dt>term</dt><dd>links</dd>`. */
export function* definitionIndex(folder: string, file: string): Generator<Item> {
  const html = readFileSync(join(folder, file), 'utf8');
  for (const [, term = '', links = ''] of html.matchAll(/<dt>(.*?)<\/dt>\s*<dd>([\s\S]*?)<\/dd>/g))
    yield* itemsOf(term, links, file);
}

/** The terms of an index that is a list of links, each with its term. */
export function* keywordIndex(folder: string, file: string): Generator<Item> {
  const html = readFileSync(join(folder, file), 'utf8');
  for (const [link, term = ''] of html.matchAll(/<li>\s*<a href="[^"]*">([^<]*)<\/a>\s*<\/li>/g))
    yield* itemsOf(term, link, file);
}

function* itemsOf(term: string, links: string, file: string): Generator<Item> {
  const text = decodeEntities(term.replace(/<[^>]*>/g, '')).replace(/\(\)$/, '');
  for (const [, href = ''] of links.matchAll(/href="([^"]*)"/g)) {
    const page = linkedPath(decodeEntities(href), file);
    if (page !== undefined && page !== file) yield termItem(text, page);
  }
}
