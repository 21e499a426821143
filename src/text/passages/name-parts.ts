import type { Stretch } from './sentences.ts';

/** A part of a line that may be the name of its subject, in UTF-16 offsets, and how likely it is. */
export interface NamePart extends Stretch {
  readonly sureness: number;
}

/** Maximum length of a name, in UTF-16 units. */
export const maxNameLength = 100;

export const partNames = ['chapter', 'appendix', 'part'];
/** `14. `, `A.2. `, `Chapter 3. ` and list marks stand before a name and are not part of it. */
const numbering = new RegExp(
  `\\s*(?:- )?(?:(?:(?:${partNames.join('|')})\\s+)?[\\dA-Z]{0,3}(?:\\.\\d+)*\\.\\s+)?`,
  'iy',
);
/** What follows a name: parameters, types, values, an explanation. */
export const signsAfterName = '([<=\t{';
export const dashesAfterName = '—–-';
const afterName = new RegExp(`[${signsAfterName}]|\\s[${dashesAfterName}]\\s|:\\s|:$`);
const spaces = /\s+/g;
const connectors = /\.|::|#|->|\//g;
/** `public class Heron` is called Heron. The last word of a longer line is an ordinary word. */
const maxTokensBeforeName = 2;

/**
 * The parts of a line that name something: `Future (Java SE 17)` is called Future, `Struct std::fs::File` is
 * std::fs::File and File, `classmethod Config.from_file(name)` is from_file. The first is the line without what
 * follows the name.
 */
export function nameParts(line: string): NamePart[] {
  const { start, end } = nameOf(line);
  const head = line.slice(start, end);
  const parts: NamePart[] = [{ start, end, sureness: 1 }];
  if (head.length === 0 || head.length > maxNameLength) return parts;
  let lastStart = 0;
  let tokens = 1;
  spaces.lastIndex = 0;
  while (spaces.test(head)) {
    lastStart = spaces.lastIndex;
    tokens++;
  }
  if (tokens > maxTokensBeforeName + 1) return parts;
  if (tokens > 1) parts.push({ start: start + lastStart, end, sureness: 1 });
  const last = head.slice(lastStart);
  let pieceStart = 0;
  connectors.lastIndex = 0;
  for (let match = connectors.exec(last); match; match = connectors.exec(last))
    if (match.index > 0 && connectors.lastIndex < last.length) pieceStart = connectors.lastIndex;
  if (pieceStart > 0) parts.push({ start: end - last.length + pieceStart, end, sureness: lastPieceSureness });
  return parts;
}

/** Below 1: other owners may have a member of the same name. */
const lastPieceSureness = 0.8;

/** The name that a line begins with: the line without its numbering and without what follows the name. */
export function nameOf(line: string): Stretch {
  numbering.lastIndex = 0;
  numbering.test(line);
  const start = numbering.lastIndex;
  const rest = line.slice(start);
  const cutAt = rest.search(afterName);
  return { start, end: start + (cutAt < 0 ? rest : rest.slice(0, cutAt)).trimEnd().length };
}
