import type { Kind } from './kind.ts';
import { lineBlocks } from './line-blocks.ts';
import { codeBlock, headingMarkup, htmlText, readingOfMarkup } from './markup-reading.ts';

const underline = /^([=\-`:.'"~^_*+#<>])\1{2,}\s*$/;
const directive = /^\.\.\s+([\w:+-]+)::\s*(.*)$/;
const admonition =
  /^(?:note|warning|tip|important|caution|danger|hint|seealso|versionadded|versionchanged|deprecated|admonition|topic)$/;
const code = /^(?:code|code-block|sourcecode|highlight|parsed-literal|doctest)$/;

/** reStructuredText (docutils): titles by their lines of signs, lists, code; roles and links as they are shown. */
export const restructuredText: Kind = {
  name: 'reStructuredText',
  mediaTypes: ['text/x-rst', 'text/prs.fallenstein.rst'],
  endings: ['rst', 'rest'],
  read({ url, text }) {
    return readingOfMarkup(toHtml(text() ?? ''), { url });
  },
};

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one block after the other, a case for each construct
function toHtml(source: string): string {
  const levels: string[] = [];
  const parts: string[] = [];
  let literal = '';
  for (const { lines, indent } of lineBlocks(source)) {
    const [first = '', second = ''] = lines;
    const marker = directive.exec(first);
    if (literal !== '' && indent > 0) {
      parts.push(
        codeBlock(lines.map((line) => line.slice(indent)).join('\n'), literal === 'none' ? '' : literal),
      );
      continue;
    }
    literal = '';
    const over = underline.test(first) && lines.length >= 3 && underline.test(lines[2] ?? '');
    const sign = over ? `${first[0]}${first[0]}` : (underline.exec(second)?.[1] ?? '');
    if (sign !== '' && (over || (indent === 0 && first.trim() !== ''))) {
      if (!levels.includes(sign)) levels.push(sign);
      parts.push(headingMarkup(levels.indexOf(sign) + 1, inline(over ? second : first)));
      const rest = lines.slice(over ? 3 : 2);
      if (rest.length > 0) parts.push(paragraph(rest));
    } else if (marker !== null) {
      const [, name = '', argument = ''] = marker;
      const content = lines.slice(1).filter((line) => !/^\s+:[\w-]+:/.test(line));
      if (code.test(name)) {
        literal = argument || 'none';
        if (content.length > 0)
          parts.push(codeBlock(content.map((line) => line.trimStart()).join('\n'), argument));
      } else if (admonition.test(name)) parts.push(paragraph([argument, ...content]));
    } else if (/^\s*(?:\.\.(?:\s|$)|:[\w -]+:\s)/.test(first)) continue;
    else if (/^\s*(?:[-*+•]|\d+[.)]|#\.)\s/.test(first)) parts.push(list(lines));
    else if (/^\s*(?:\+[-=+]+\+|=+(?:\s+=+)+)\s*$/.test(first)) parts.push(table(lines));
    else {
      const ends = /::\s*$/.test(lines.at(-1) ?? '');
      const shown = ends ? [...lines.slice(0, -1), (lines.at(-1) ?? '').replace(/\s*::\s*$/, ':')] : lines;
      if (shown.join('').trim() !== ':') parts.push(paragraph(shown));
      if (ends) literal = 'none';
    }
  }
  return parts.join('\n');
}

const paragraph = (lines: readonly string[]): string => `<p>${inline(lines.join(' '))}</p>`;

/** Items of one block; lines without a marker go on with the item above. */
function list(lines: readonly string[]): string {
  const items: string[] = [];
  for (const line of lines) {
    const text = /^\s*(?:[-*+•]|\d+[.)]|#\.)\s+(.*)$/.exec(line)?.[1];
    if (text !== undefined) items.push(text);
    else items.push(`${items.pop() ?? ''} ${line.trim()}`);
  }
  return `<ul>${items.map((item) => `<li>${inline(item)}</li>`).join('')}</ul>`;
}

function table(lines: readonly string[]): string {
  const rows = lines
    .filter((line) => !/^[\s+=-]+$/.test(line))
    .map((line) => line.replace(/^\s*\||\|\s*$/g, '').split(/\s*\|\s*|\s{2,}/));
  return `<table>${rows.map((cells) => `<tr>${cells.map((cell) => `<td>${inline(cell.trim())}</td>`).join('')}</tr>`).join('')}</table>`;
}

/** Marks within a line: code, emphasis, links, and roles as they are shown. */
function inline(text: string): string {
  return htmlText(text.replace(/\s+/g, ' ').trim())
    .replace(/``(.{1,300}?)``/g, '<code>$1</code>')
    .replace(/`([^`&]{1,200}?)\s*&lt;([^`\s]{1,500}?)>`__?/g, '<a href="$2">$1</a>')
    .replace(/:[\w:+.-]{1,40}:`[~!]?([^`&]{1,200}?)(?:\s*&lt;[^`]{0,200}>)?`/g, '<code>$1</code>')
    .replace(/`([^`]{1,200})`(?:__?)?/g, '$1')
    .replace(/\*\*([^*]{1,500})\*\*/g, '<b>$1</b>')
    .replace(/(?<![\w*])\*([^*\s][^*]{0,300})\*(?![\w*])/g, '<em>$1</em>')
    .replace(/\|(\w[^|]{0,60})\|/g, '$1');
}
