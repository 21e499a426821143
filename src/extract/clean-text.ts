import { stripInvisible } from '../text/line/invisible.ts';

/** One line: white space collapsed and trimmed, invisible characters gone. */
export function oneLine(text: string): string {
  return stripInvisible(text).replace(/\s+/g, ' ').trim();
}

/** Cuts at a word border if one is near, never inside a surrogate pair. */
export function clip(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const cut = text.slice(0, maxLength);
  const space = cut.lastIndexOf(' ');
  return (space > maxLength * 0.8 ? cut.slice(0, space) : cut).replace(/[\ud800-\udbff]$/, '').trimEnd();
}
