import type { HttpContentRecord } from '../../../contract/content.ts';
import { escapeText, linkTarget } from '../../../engine/markdown/escape.ts';
import { oneLine } from '../../../text/line/one-line.ts';

/** A page as Markdown, with what a citation needs before its text. */
export function citedMarkdown(record: HttpContentRecord): string {
  const { title, url, author, published_at, published_day, crawled_at, body_text } = record;
  const name = escapeText(oneLine(title) || url, true);
  const parts = [
    ...(author === null ? [] : [escapeText(oneLine(author))]),
    `[${name}](${linkTarget(url)})`,
    ...(published_at === null ? [] : [`published ${published_day ?? published_at.slice(0, 10)}`]),
    `read ${crawled_at.slice(0, 10)}`,
  ];
  return `> ${parts.join(', ')}\n\n${body_text}\n`;
}
