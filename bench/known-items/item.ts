/** One entry of a site's own index: a term and a page that it leads to. */
export interface Item {
  /** `name`: what a program spells so. `term`: words for people, as in the index of a book. */
  readonly kind: 'name' | 'term';
  /** The last part of a name, such as `create_task`; a term as it is. */
  readonly name: string;
  /** What stands before it, such as `asyncio`, `TaskGroup`; empty for a term and a name of one part. */
  readonly owners: readonly string[];
  /** Between the parts: `.` or `::`. */
  readonly separator: string;
  /** The qualified form where it is not the parts with separators between: `printf(3)`. */
  readonly qualified?: string;
  /** Path of the page in the site, decoded, without anchor. */
  readonly page: string;
}

/** An item of a dotted name, `a.b.C` or `a::b::C`. */
export function dottedItem(dotted: string, separator: string, page: string): Item {
  const parts = dotted.split(separator);
  return { kind: 'name', name: parts.at(-1) ?? '', owners: parts.slice(0, -1), separator, page };
}

/** An item of an index for people: a name where it is one word, else a term. */
export function termItem(term: string, page: string): Item {
  const text = term.replace(/\s+/g, ' ').trim();
  return { kind: text.includes(' ') ? 'term' : 'name', name: text, owners: [], separator: '', page };
}

/** The path that a link of the page at `from` leads to, decoded and without anchor; undefined outside the site. */
export function linkedPath(href: string, from: string): string | undefined {
  if (!URL.canParse(href, `http://site/${from}`)) return undefined;
  const url = new URL(href, `http://site/${from}`);
  return url.host === 'site' ? decodeURIComponent(url.pathname.slice(1)) : undefined;
}
