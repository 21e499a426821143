/** What an entry of llms-full.txt begins with, in the forms of the generators that name the page. */
const entryStart =
  /^(?:(?:Source|URL|Page|Canonical)(?: URL)?:[ \t]*<?(\S+?)>?|#{1,2} .*\((https?:\/\/[^\s)]+|\/[^\s)]*)\)|---\r?\nurl:[ \t]*['"]?([^'"\s]+)['"]?|<(?:page|doc)\b[^>]*?\b(?:url|source)="([^"]+)"[^>]*>)[ \t]*$/gim;
const maxEntries = 20_000;

/**
 * The entries of an llms-full.txt by the key of their page (`twinKey`), as Markdown. It has no standard: an entry is what
 * begins with `Source: URL` (Mintlify), `URL:`, a heading with the address (Fumadocs), front matter with `url:`
 * (VitePress), or `<page url="…">`, up to the next one. Empty for a file in any other form.
 */
export function llmsFullEntries(text: string, fileUrl: string): Map<string, string> {
  const starts: { at: number; end: number; url: string }[] = [];
  for (const match of text.matchAll(entryStart)) {
    const reference = match.slice(1).find((group) => group !== undefined) ?? '';
    if (!URL.canParse(reference, fileUrl) || starts.length >= maxEntries) continue;
    starts.push({
      at: beginningOfEntry(text, match.index),
      end: match.index + match[0].length,
      url: new URL(reference, fileUrl).href,
    });
  }
  const entries = new Map<string, string>();
  for (const [index, { at, end, url }] of starts.entries()) {
    const next = starts[index + 1]?.at ?? text.length;
    const title = /^#{1,2} /.test(text.slice(at, end)) ? titleOf(text.slice(at, end)) : '';
    const body = text
      .slice(end, next)
      .replace(/^\s*---[ \t]*$/m, '')
      .replace(/<\/(?:page|doc)>\s*$/i, '');
    entries.set(twinKey(url), `${title}${body.trim()}\n`);
  }
  return entries;
}

/** Mintlify has the title in the line above `Source:`. */
function beginningOfEntry(text: string, at: number): number {
  const before = text.lastIndexOf('\n', at - 2) + 1;
  return at > 0 && /^# \S/.test(text.slice(before, at)) ? before : at;
}

function titleOf(head: string): string {
  return `${(head.split('\n', 1)[0] ?? '').replace(/\s*\((?:https?:\/\/|\/)[^)]*\)\s*$/, '')}\n\n`;
}

/** Equal for the addresses of a page and of its Markdown: without the ending of its file, `index`, query and last slash. */
export function twinKey(url: string): string {
  const { origin, pathname } = new URL(url);
  const path = pathname
    .replace(/\.(?:html?|mdx?|txt)$/i, '')
    .replace(/\/index$/i, '')
    .replace(/\.html$/i, '')
    .replace(/\/+$/, '');
  return `${origin}${path}`;
}
