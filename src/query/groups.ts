import type { Lexeme } from './lexer.ts';

/** Maximum nesting of groups; deeper brackets count as spaces. */
const maxDepth = 5;

/** Removes brackets without a partner and those of groups that are nested too deeply. */
export function dropLooseBrackets(lexemes: readonly Lexeme[]): Lexeme[] {
  const partnered = new Set<number>();
  const opened: number[] = [];
  for (const [index, { kind }] of lexemes.entries()) {
    if (kind === 'open') opened.push(index);
    const partner = kind === 'close' ? opened.pop() : undefined;
    if (partner !== undefined) partnered.add(partner).add(index);
  }
  let depth = 0;
  return lexemes.filter(({ kind }, index) => {
    if (kind !== 'open' && kind !== 'close') return true;
    if (!partnered.has(index)) return false;
    if (kind === 'open') return ++depth <= maxDepth;
    return depth-- <= maxDepth;
  });
}
