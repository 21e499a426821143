import type { Lexeme } from './lexer.ts';

/** How deep groups may lie in one another; brackets below that are spaces. */
const maxDepth = 5;

/** The lexemes without the brackets that have no partner and without those of groups that lie too deep. */
export function dropLooseBrackets(lexemes: readonly Lexeme[]): Lexeme[] {
  const partnered = new Set<number>();
  const opened: number[] = [];
  for (const [place, { kind }] of lexemes.entries()) {
    if (kind === 'open') opened.push(place);
    const partner = kind === 'close' ? opened.pop() : undefined;
    if (partner !== undefined) partnered.add(partner).add(place);
  }
  let depth = 0;
  return lexemes.filter(({ kind }, place) => {
    if (kind !== 'open' && kind !== 'close') return true;
    if (!partnered.has(place)) return false;
    if (kind === 'open') return ++depth <= maxDepth;
    return depth-- <= maxDepth;
  });
}
