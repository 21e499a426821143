import { stripInvisible } from '../text/line/invisible.ts';
import { oneLine } from '../text/line/one-line.ts';
import { truncate } from '../text/line/truncate.ts';
import type { Reading } from './extracted.ts';
import { titleOfText } from './metadata/text-title.ts';

const maxTitle = 200;

/** Plain text is its own body; the title is its first meaningful line if it is short, otherwise the file's name. */
export function readPlainText(text: string, url: string): Reading {
  const body = stripInvisible(text.replace(/\r\n?/g, '\n')).trim();
  return {
    title: titleOfText(body) ?? fileName(url),
    description: '',
    headings: '',
    body,
    author: null,
    publishedAt: null,
    siteName: null,
    fileType: 'text',
    canonical: null,
    links: [],
    robots: { noindex: false, nofollow: false },
    declaredLang: null,
  };
}

/** The last segment of a URL's path, decoded; the host when the path is empty. */
export function fileName(url: string): string {
  const { pathname, hostname } = new URL(url);
  const last = pathname.split('/').findLast((part) => part !== '');
  if (last === undefined) return hostname;
  try {
    return truncate(oneLine(decodeURIComponent(last)), maxTitle, '');
  } catch {
    return truncate(last, maxTitle, '');
  }
}
