import { Parser } from 'htmlparser2';
import { localName, rootName } from './xml-name.ts';

/** A URL of a feed's entry or of a sitemap, as written. */
export interface ListedUrl {
  readonly url: string;
  /** Time of the last change, epoch milliseconds; absent where the list has none, or none that can be parsed. */
  readonly lastModified?: number;
}

/** Maximum entries of a feed; most have ten. */
const maxEntries = 10_000;
/** Links to feeds are in the head of a page. */
const headBytes = 64 * 1024;
const feedTypes = /^\s*application\/(?:rss|atom|rdf)\+xml\s*(?:;|$)/i;

/**
 * The entries of an RSS (0.9 to 2.0) or Atom feed (RFC 4287), in its order; null for other text. Accepts any
 * namespace and malformed XML.
 */
export function parseFeed(text: string): ListedUrl[] | null {
  if (!/^(?:rss|feed|rdf)$/.test(rootName(text))) return null;
  const entries: ListedUrl[] = [];
  const open: string[] = [];
  let entry: { link?: string; guid?: string; changed?: string } | undefined;
  let field = '';
  let value = '';
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        const name = localName(tag);
        if (name === 'item' || name === 'entry') entry = {};
        else if (entry !== undefined && /^(?:item|entry)$/.test(open.at(-1) ?? '')) {
          field = name;
          value = '';
          const rel = attributes.rel ?? 'alternate';
          if (name === 'link' && attributes.href !== undefined && rel === 'alternate')
            entry.link ??= attributes.href;
        }
        open.push(name);
      },
      ontext(piece) {
        value += piece;
      },
      onclosetag() {
        const name = open.pop() ?? '';
        if (entry === undefined) return;
        if (name === 'item' || name === 'entry') {
          const url = entry.link ?? entry.guid;
          if (url !== undefined && entries.length < maxEntries) entries.push(listed(url, entry.changed));
          entry = undefined;
        } else if (name === field) {
          const said = value.trim();
          if (name === 'link' && said !== '') entry.link ??= said;
          if (name === 'guid' && /^https?:/i.test(said)) entry.guid = said;
          if (name === 'updated' || name === 'pubdate' || name === 'date') entry.changed ??= said;
          field = '';
        }
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(text);
  return entries;
}

/** A URL with the time that a list gives for it. */
export function listed(url: string, time: string | undefined): ListedUrl {
  const lastModified = Date.parse(time ?? '');
  return Number.isFinite(lastModified) ? { url, lastModified } : { url };
}

/** The feeds that an HTML page names in its head (`<link rel="alternate">`), as written. */
export function feedsOf(bytes: Uint8Array): string[] {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, headBytes)).toString(
    'latin1',
  );
  const feeds: string[] = [];
  const parser = new Parser({
    onopentag(tag, { rel = '', type = '', href }) {
      const isFeed = tag === 'link' && /\balternate\b/i.test(rel) && feedTypes.test(type);
      if (isFeed && href !== undefined && feeds.length < maxFeeds) feeds.push(href);
    },
  });
  parser.end(head);
  return feeds;
}

const maxFeeds = 5;
