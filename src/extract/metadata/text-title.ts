import { oneLine } from '../../text/line/one-line.ts';

/** Lines that are searched: directives and comments at the top are rarely longer. */
const maxLines = 200;
const maxTitle = 200;

/**
 * The first meaningful line of a text. Skips rules of signs, directives, labels, fields and comments of reStructuredText
 * with their indented lines, and lines for editors or shells. Undefined when that line is too long for a title.
 */
export function titleOfText(text: string): string | undefined {
  let markup: number | undefined;
  for (const line of text.split('\n', maxLines)) {
    if (line.trim() === '') continue;
    const indent = line.length - line.trimStart().length;
    if (markup !== undefined && indent > markup) continue;
    markup = isMarkup.test(line) ? indent : undefined;
    if (markup !== undefined || !saysSomething.test(line) || isForPrograms.test(line)) continue;
    const title = oneLine(withoutRoles(line.slice(0, maxTitle * 2)));
    return title !== '' && title.length <= maxTitle ? title : undefined;
  }
  return undefined;
}

const saysSomething = /[\p{L}\p{N}]/u;
/** Explicit markup and fields (docutils' reStructuredText Markup Specification); a role has text in backquotes. */
const isMarkup = /^\s*(?:\.\.(?:\s|$)|__\s|:[A-Za-z][\w .+-]*:(?:\s|$))/;
const isForPrograms = /^\s*(?:#!|.*-\*-.*-\*-\s*$|<\?xml|<!)/;

/** `:mod:`json` --- JSON` as displayed: `json --- JSON`. */
function withoutRoles(line: string): string {
  return line
    .replace(/:[\w:+.-]{1,40}:`~?([^`<]{1,200}?)(?:\s*<[^`<>]{0,200}>)?`/g, '$1')
    .replace(/``([^`]{1,200})``/g, '$1')
    .replace(/\|(\w[^|]{0,100})\|/g, '$1');
}
