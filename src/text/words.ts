import { foldWord } from './fold.ts';
import { limitLength } from './line/limit-length.ts';
import { maxTermLength } from './tokenizer.ts';
import { undividedNames } from './undivided-names.ts';

/**
 * The role of a term in a query for its word. `piece`: a part that every page with the word has. `exact`: as it was
 * written, two adjacent pieces at a time, so that quotes match a compound inside a longer one. `whole`: the compound.
 * `extra`: only for other queries to match.
 */
export type TermRole = 'piece' | 'exact' | 'whole' | 'extra';

/** One index term of a word, with its offsets within the word. */
export interface WordTerm {
  readonly term: string;
  readonly start: number;
  readonly end: number;
  readonly role: TermRole;
}

interface Piece {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const pieces =
  /[vV]?\p{N}+(?:[.,]\p{N}+)+(?![\p{L}\p{N}])|[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{N}\p{M}]+)*(?:\+\+\p{N}*|#)?/gu;
const dottedNumber = /^([vV]?)(\p{N}+(?:[.,]\p{N}+)+)$/u;
const humps = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})/u;
const initials = /^(?:\p{Lu}\.)+\p{Lu}$/u;
const symbolEnd = /(?:\+\+\p{N}*|#)$/u;
const possessive = /['’]s$/i;
/** French and Italian articles and particles that are joined to the next word. */
const elided = /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|un|all|d?ell|nell|sull|dall)['’](?=..)/iu;
const apostrophes = /['’]/g;

/** Most words: one piece that is its own only term, and that lower case alone folds. */
export const simpleWord = /^(?:[A-Z]?[a-z]{1,63}|[A-Z]{1,64})$/;
const hasApostrophe = /['’]/;

function asTerm(text: string): string {
  return limitLength(text, maxTermLength);
}

/** `user's` is user, `l'homme` is homme, `O'Reilly` and `don't` are oreilly and dont. */
function withoutApostrophes(word: string): string {
  if (!hasApostrophe.test(word)) return word;
  return word.replace(possessive, '').replace(elided, '').replace(apostrophes, '');
}

/** The parts of a word that begin with capitals, in order; none for a name in `undividedNames`. */
function capitalParts(piece: Piece): Piece[] {
  const lower = piece.text.toLowerCase();
  if (lower === piece.text || undividedNames.has(lower)) return [];
  const texts = piece.text.split(humps);
  if (texts.length < 2 || texts[0]?.length === 1) return [];
  let start = piece.start;
  return texts.map((text) => {
    const part = { text, start, end: start + text.length };
    start = part.end;
    return part;
  });
}

/** `1,000` is 1000; `v3.12.1` is 3.12.1, and also 3 and 3.12. */
function numberTerms({ text, start, end }: Piece, letter: string, number: string): WordTerm[] {
  const joined = number.replaceAll(',', '');
  const terms: WordTerm[] = [{ term: asTerm(joined), start, end, role: 'piece' }];
  const asWritten = asTerm(text.toLowerCase());
  if (asWritten !== joined) terms.push({ term: asWritten, start, end, role: 'exact' });
  for (let offset = joined.indexOf('.'); offset > 0; offset = joined.indexOf('.', offset + 1)) {
    const term = asTerm(joined.slice(0, offset));
    const prefixEnd = joined === number ? start + letter.length + offset : end;
    terms.push({ term, start, end: prefixEnd, role: 'extra' });
  }
  return terms;
}

function pieceTerms(piece: Piece): WordTerm[] {
  const { text, start, end } = piece;
  if (simpleWord.test(text)) return [{ term: asTerm(text.toLowerCase()), start, end, role: 'piece' }];
  const number = dottedNumber.exec(text);
  if (number) return numberTerms(piece, number[1] ?? '', number[2] ?? '');
  const term = asTerm(foldWord(withoutApostrophes(text)));
  if (term === '') return [];
  const terms: WordTerm[] = [{ term, start, end, role: 'piece' }];
  const base = text.replace(symbolEnd, '');
  if (base !== text && base.length > 1) {
    terms.push({ term: asTerm(foldWord(base)), start, end: start + base.length, role: 'extra' });
  }
  if (base !== text && /\p{N}$/u.test(text)) {
    const symbol = text.replace(/\p{N}+$/u, '');
    terms.push({ term: asTerm(foldWord(symbol)), start, end: start + symbol.length, role: 'extra' });
  }
  for (const part of capitalParts(piece)) {
    if (part.text.length === 1) continue;
    terms.push({ term: asTerm(foldWord(part.text)), start: part.start, end: part.end, role: 'extra' });
  }
  return terms;
}

/** Every two adjacent pieces and, of three pieces or more, the whole compound; none longer than `maxTermLength`. */
function joinedTerms(word: string, wordPieces: readonly Piece[]): WordTerm[] {
  const terms: WordTerm[] = [];
  function add(start: number, end: number, role: TermRole): void {
    if (end - start <= maxTermLength)
      terms.push({ term: foldWord(word.slice(start, end)), start, end, role });
  }
  if (wordPieces.length > 2 || word.startsWith('.')) add(0, wordPieces.at(-1)?.end ?? word.length, 'whole');
  for (const [index, { start }] of wordPieces.entries()) {
    const next = wordPieces[index + 1];
    if (next) add(start, next.end, 'exact');
  }
  return terms;
}

/**
 * The index terms of one word as the tokenizer returns it, sorted by their start. `fs.readFile` has the terms
 * fs.readfile, fs, readfile, read, file; `C++` and `.NET` are one piece each.
 */
export function wordTerms(word: string): WordTerm[] {
  if (simpleWord.test(word)) return pieceTerms({ text: word, start: 0, end: word.length });
  const wordPieces: Piece[] = [];
  // Not `matchAll`, which creates a new expression at each call.
  pieces.lastIndex = 0;
  for (let match = pieces.exec(word); match; match = pieces.exec(word)) {
    wordPieces.push({ text: match[0], start: match.index, end: pieces.lastIndex });
  }
  if (wordPieces.length === 0) return [];
  const only = wordPieces.length === 1 ? wordPieces[0] : undefined;
  if (only && word.startsWith('.')) {
    const extras = pieceTerms(only).map((term) => ({ ...term, role: 'extra' as const }));
    return [{ term: asTerm(foldWord(word)), start: 0, end: word.length, role: 'piece' }, ...extras];
  }
  if (only) return pieceTerms(only);
  const terms = wordPieces.flatMap(pieceTerms);
  if (initials.test(word)) {
    const separate = terms.map((each) => ({ ...each, role: 'extra' as const }));
    const term = foldWord(word.replaceAll('.', ''));
    return [{ term, start: 0, end: word.length, role: 'piece' }, ...separate];
  }
  return [...joinedTerms(word, wordPieces), ...terms].sort((one, other) => one.start - other.start);
}
