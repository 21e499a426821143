/** Characters that would be Markdown in this place, and are text here. */
const inline = /[\\`*]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|\](?=[([:])|<(?=[a-z/!?])|~(?=~)|&(?=#?\w+;)/giu;
const lineStart = /^(\s*)(#{1,6}(?=\s|$)|[-+](?=\s|$)|>|(?:=+|-{2,})(?=\s*$)|\d{1,9}(?=[.)](?:\s|$)))/;

/** Escapes text so that CommonMark reads it as it stands. Brackets need it in the text of a link. */
export function escapeText(text: string, inLink = false): string {
  const escaped = text.replace(inline, (character, offset: number) => {
    const isTimes = character === '*' && isSpaceAt(text, offset - 1) && isSpaceAt(text, offset + 1);
    return isTimes ? character : `\\${character}`;
  });
  return inLink ? escaped.replace(/(?<!\\)[[\]]/g, '\\$&') : escaped;
}

/** Escapes what would begin a block at the beginning of a line. */
export function escapeLineStart(line: string): string {
  return line.replace(lineStart, (_, space: string, start: string) =>
    /^\d/.test(start) ? `${space}${start}\\` : `${space}\\${start}`,
  );
}

/** A code span (CommonMark 6.1), with more backticks than any row in it. */
export function codeSpan(code: string): string {
  const fence = '`'.repeat(longestRow(code) + 1);
  const isPadded = code.startsWith('`') || code.endsWith('`');
  return isPadded ? `${fence} ${code} ${fence}` : `${fence}${code}${fence}`;
}

/** The fence of a code block. */
export function fenceFor(code: string): string {
  return '`'.repeat(Math.max(3, longestRow(code) + 1));
}

/** An address between the parentheses of a link. */
export function linkTarget(address: string): string {
  return address.replace(
    /[()\s<>\\]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function longestRow(text: string): number {
  let longest = 0;
  for (const [row] of text.matchAll(/`+/g)) longest = Math.max(longest, row.length);
  return longest;
}

function isSpaceAt(text: string, offset: number): boolean {
  return /^\s?$/.test(text.charAt(offset));
}
