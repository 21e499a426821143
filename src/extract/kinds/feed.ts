import { walkXml } from '../documents/index.ts';
import { parseDate } from '../metadata/dates.ts';
import type { Kind } from './kind.ts';
import { htmlText, readingOfMarkup } from './markup-reading.ts';

const feedStart =
  /^(?:<\?xml[^>]*>\s*|<!--[\s\S]{0,500}?-->\s*|<\?[\s\S]{0,300}?\?>\s*)*<(?:rss|feed|rdf:RDF)[\s>]/i;
const maxEntries = 500;

interface Entry {
  title: string;
  content: string;
  summary: string;
  link: string;
}

/** A feed (RSS 0.9 to 2.0, Atom) with the text of its entries, each under its title. The crawler takes feeds as lists of links. */
export const feed: Kind = {
  name: 'feed',
  mediaTypes: ['application/rss+xml', 'application/atom+xml', 'application/rdf+xml'],
  endings: ['rss', 'atom'],
  begins: ({ beginning }) => (feedStart.test(beginning) ? 'yes' : 'no'),
  read({ url, now, text }) {
    const { title, description, author, date, lang, entries } = readFeed(text() ?? '');
    if (entries.length === 0) return null;
    const published = parseDate(date);
    return readingOfMarkup(entries.map(entryMarkup).join('\n'), {
      url,
      title: title || undefined,
      description,
      author: author || null,
      publishedAt: published === undefined || published > now ? null : published,
      declaredLang: /^[a-z]{2,3}(?:-\w+)?$/i.test(lang) ? lang : null,
    });
  },
};

function entryMarkup({ title, content, summary, link }: Entry): string {
  const heading = htmlText(title || link);
  const named = link === '' ? heading : `<a href="${htmlText(link)}">${heading}</a>`;
  return `<h2>${named}</h2>\n<div>${content || summary}</div>`;
}

function readFeed(source: string) {
  const found = { title: '', description: '', author: '', date: '', lang: '', entries: [] as Entry[] };
  const open: string[] = [];
  let entry: Entry | undefined;
  let value = '';
  walkXml(source, {
    open(name, { href, rel = 'alternate', type = '' }) {
      const isMarkup = open.includes('content') || open.includes('summary');
      if (isMarkup && type === '') value += `<${name}>`;
      else value = '';
      if (name === 'item' || name === 'entry') entry = { title: '', content: '', summary: '', link: '' };
      if (name === 'link' && entry && href !== undefined && rel === 'alternate') entry.link ||= href;
      open.push(name);
    },
    text(piece) {
      value += piece;
    },
    close(name) {
      open.pop();
      if (open.includes('content') || open.includes('summary')) {
        value += `</${name}>`;
        return;
      }
      const text = value.trim();
      if (name === 'item' || name === 'entry') {
        if (entry && found.entries.length < maxEntries) found.entries.push(entry);
        entry = undefined;
      } else if (entry) note(entry, name, text);
      else noteFeed(found, name, text);
      if (!/^(?:div|p)$/.test(name)) value = '';
    },
    done: () => found.entries.length >= maxEntries,
  });
  return found;
}

function note(entry: Entry, name: string, text: string): void {
  if (name === 'title') entry.title ||= text;
  else if (name === 'encoded' || name === 'content') entry.content ||= text;
  else if (name === 'description' || name === 'summary') entry.summary ||= text;
  else if (name === 'link') entry.link ||= text;
}

function noteFeed(
  found: { title: string; description: string; author: string; date: string; lang: string },
  name: string,
  text: string,
): void {
  if (name === 'title') found.title ||= text;
  else if (name === 'description' || name === 'subtitle') found.description ||= text.slice(0, 1000);
  else if (name === 'name' || name === 'creator') found.author ||= text;
  else if (name === 'pubDate') found.date ||= text;
  else if (name === 'language') found.lang ||= text;
}
