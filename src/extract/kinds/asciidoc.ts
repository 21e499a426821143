import type { Kind } from './kind.ts';
import { codeBlock, headingMarkup, htmlText, readingOfMarkup } from './markup-reading.ts';

const fence = /^(-{4,}|\.{4,}|={4,}|_{4,}|\*{4,}|\+{4,}|\/{4,}|```.*|\|===|--)\s*$/;
const item = /^\s*([*-]{1,5}|\.{1,5}|\d+\.)\s+(.*)$/;

/** AsciiDoc: headings, lists, code and tables; attributes and comments are left out. */
export const asciidoc: Kind = {
  name: 'AsciiDoc',
  mediaTypes: ['text/asciidoc', 'text/x-asciidoc'],
  endings: ['adoc', 'asciidoc', 'asc'],
  begins: ({ beginning }) => (beginning.startsWith('-----BEGIN ') ? 'no' : 'maybe'),
  read({ url, text }) {
    return readingOfMarkup(toHtml(text() ?? ''), { url });
  },
};

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one line after the other, a case for each construct
function toHtml(source: string): string {
  const parts: string[] = [];
  let paragraph: string[] = [];
  let items: string[] = [];
  let block: { end: string; lines: string[] } | undefined;
  let language = '';
  const finish = () => {
    if (paragraph.length > 0) parts.push(`<p>${inline(paragraph.join(' '))}</p>`);
    if (items.length > 0) parts.push(`<ul>${items.map((text) => `<li>${inline(text)}</li>`).join('')}</ul>`);
    paragraph = [];
    items = [];
  };
  for (const line of source.split(/\r\n?|\n/)) {
    if (block !== undefined) {
      if (line.trimEnd() !== block.end) block.lines.push(line);
      else {
        parts.push(blockMarkup(block.end, block.lines, language));
        block = undefined;
        language = '';
      }
      continue;
    }
    const heading = /^(={1,6}|#{1,6})\s+(\S.*)$/.exec(line);
    const mark = fence.exec(line)?.[1];
    if (heading !== null) {
      finish();
      parts.push(headingMarkup(heading[1]?.length ?? 1, inline(heading[2] ?? '')));
    } else if (mark !== undefined) {
      finish();
      // Examples, sidebars and quotations hold text as it is elsewhere.
      if (!/^(?:={4,}|\*{4,}|_{4,}|--)$/.test(mark))
        block = { end: mark.startsWith('```') ? '```' : mark, lines: [] };
    } else if (/^\[.*\]\s*$/.test(line)) language = /^\[(?:source|,)\s*,?\s*([\w+#-]+)/.exec(line)?.[1] ?? '';
    else if (/^(?:\/\/|:[\w!-]+:)/.test(line)) continue;
    else if (line.trim() === '') finish();
    else if (item.test(line)) items.push(item.exec(line)?.[2] ?? '');
    else if (items.length > 0 && line.trim() !== '+') items.push(`${items.pop() ?? ''} ${line.trim()}`);
    else if (/^\.\S/.test(line)) paragraph.push(line.slice(1));
    else if (!/^(?:image|include|toc|ifdef|ifndef|endif|video)::/.test(line)) paragraph.push(line);
  }
  if (block !== undefined) parts.push(blockMarkup(block.end, block.lines, language));
  finish();
  return parts.join('\n');
}

function blockMarkup(end: string, lines: readonly string[], language: string): string {
  if (end.startsWith('////')) return '';
  if (end !== '|===') return codeBlock(lines.join('\n'), language);
  const rows = lines
    .filter((line) => line.trim() !== '')
    .map((line) => line.replace(/^\s*\|/, '').split('|'));
  return `<table>${rows.map((cells) => `<tr>${cells.map((cell) => `<td>${inline(cell)}</td>`).join('')}</tr>`).join('')}</table>`;
}

/** Marks within a line: code, bold, emphasis, links. */
function inline(text: string): string {
  return htmlText(text.trim())
    .replace(/(?:link:)?(https?:\/\/[^\s[\]]{1,500})\[([^\]]{1,200})\]/g, '<a href="$1">$2</a>')
    .replace(/(?:link|xref):[^\s[\]]{1,300}\[([^\]]{0,200})\]/g, '$1')
    .replace(/&lt;&lt;[^,>]{1,200}(?:,\s*([^>]{1,200}))?>>/g, '$1')
    .replace(/`\+?([^`]{1,300}?)\+?`/g, '<code>$1</code>')
    .replace(/(?<![\w*])\*{1,2}([^*\s][^*]{0,300})\*{1,2}(?![\w*])/g, '<b>$1</b>')
    .replace(/(?<!\w)_{1,2}([^_\s][^_]{0,300})_{1,2}(?!\w)/g, '<em>$1</em>')
    .replace(/\[\[[^\]]{1,100}\]\]/g, '');
}
