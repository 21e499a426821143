import { isMinus, replaceLookAlikes } from './normalize.ts';

export type Sign = '' | '+' | '-';
export type Operator = 'site' | 'intitle' | 'filetype';

/**
 * One piece of a query's syntax. `text` is without sign, quotes and operator; `start` is its offset in the result of
 * `replaceLookAlikes`.
 */
export type Lexeme =
  | { readonly kind: 'open'; readonly sign: Sign }
  | { readonly kind: 'close' }
  | { readonly kind: 'or' }
  | { readonly kind: 'and' }
  | {
      readonly kind: 'leaf';
      readonly sign: Sign;
      readonly operator: Operator | undefined;
      readonly text: string;
      readonly start: number;
      readonly quoted: boolean;
    };

const operatorPrefix = /(site|intitle|filetype)[:：]/iy;
/** Operators of other search engines that are read as their words: the words of a URL are indexed with the text. */
const wordPrefix = /(?:inurl|intext)[:：](?=[^\s)|])/iy;
/** `NOT` before an operand. Before a word in capitals it is text, as in `NOT NULL`. */
const notBefore = /NOT\s+(?![\p{Lu}\d_]+(?:[\s)]|$))/uy;
const whiteSpace = /\s/;
/** What follows a quote that closes a phrase, and none that opens one. */
const afterClosing = /(?:[\s),;:!?，。；：！？、]|\.?(?:\s|$))/y;

/** Splits a query into lexemes in one pass; everything that is no syntax is the text of a leaf. */
export function lex(q: string): Lexeme[] {
  const source = replaceLookAlikes(q);
  const lexemes: Lexeme[] = [];
  let offset = 0;
  let hasOperand = false;

  /** Reads up to the space, quote, bar or unbalanced bracket that ends a bare token. */
  function takeBare(): string {
    const start = offset;
    let depth = 0;
    for (; offset < source.length; offset++) {
      const character = source.charAt(offset);
      if (character === '"' || character === '|' || whiteSpace.test(character)) break;
      if (character === '(') depth++;
      if (character === ')' && --depth < 0) break;
    }
    return source.slice(start, offset);
  }

  /** Reads up to the closing quote, or to the end when there is none. */
  function takePhrase(): string {
    const start = offset + 1;
    const close = source.indexOf('"', start);
    offset = close < 0 ? source.length : close + 1;
    return source.slice(start, close < 0 ? source.length : close);
  }

  /** Whether the quote here is the last of the query and looks like the end of a phrase: pasted text may begin within one. */
  function closesNothing(): boolean {
    if (source.indexOf('"', offset + 1) >= 0) return false;
    afterClosing.lastIndex = offset + 1;
    return afterClosing.test(source);
  }

  /** Reads an operator if a value follows it directly; moves `offset` to the value. */
  function takeOperator(): Operator | undefined {
    operatorPrefix.lastIndex = offset;
    const name = operatorPrefix.exec(source)?.[1];
    if (name === undefined) return undefined;
    const next = source.charAt(operatorPrefix.lastIndex);
    if (next === '' || next === ')' || next === '|' || whiteSpace.test(next)) return undefined;
    offset = operatorPrefix.lastIndex;
    return name.toLowerCase() as Operator;
  }

  /** Reads a sign, which counts only before an operand: not before another sign, a bar, a space or a closing bracket. */
  function takeSign(): Sign {
    const sign = isMinus(source[offset]) ? '-' : source[offset] === '+' ? '+' : '';
    const next = source[offset + 1];
    if (sign === '' || next === undefined) return '';
    if (isMinus(next) || next === '+' || next === '|' || next === ')' || whiteSpace.test(next)) return '';
    offset++;
    return sign;
  }

  /** Reads `NOT` as the sign of what follows, once something stands before it: a first `NOT` is emphasis. */
  function takeNot(): Sign {
    notBefore.lastIndex = offset;
    if (!hasOperand || !notBefore.test(source)) return '';
    offset = notBefore.lastIndex;
    return '-';
  }

  function takeUnary(): Lexeme {
    const sign = takeNot() || takeSign();
    if (source[offset] === '(') {
      offset++;
      return { kind: 'open', sign };
    }
    const operator = takeOperator();
    wordPrefix.lastIndex = offset;
    if (operator === undefined && wordPrefix.test(source)) offset = wordPrefix.lastIndex;
    const quoted = source[offset] === '"';
    const start = quoted ? offset + 1 : offset;
    const text = quoted ? takePhrase() : takeBare();
    if (!quoted && sign === '' && operator === undefined) {
      if (text === 'OR') return { kind: 'or' };
      if (text === 'AND') return { kind: 'and' };
    }
    hasOperand = true;
    return { kind: 'leaf', sign, operator, text, start, quoted };
  }

  while (offset < source.length) {
    const character = source.charAt(offset);
    if (whiteSpace.test(character)) offset++;
    else if (character === ')') {
      lexemes.push({ kind: 'close' });
      offset++;
    } else if (character === '|') {
      lexemes.push({ kind: 'or' });
      offset++;
    } else if (character === '"' && closesNothing()) offset++;
    else lexemes.push(takeUnary());
  }
  return lexemes;
}
