import { isMinus, replaceLookAlikes } from './normalize.ts';

export type Sign = '' | '+' | '-';
export type Operator = 'site' | 'intitle' | 'filetype';

/**
 * One piece of a query's syntax. `text` has no sign, quotes or operator left on it; it begins at `start` of what
 * `replaceLookAlikes` makes of the query.
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
const whiteSpace = /\s/;

/** Cuts a query into lexemes in one pass over its characters; whatever is no syntax is a leaf's text. */
export function lex(q: string): Lexeme[] {
  const source = replaceLookAlikes(q);
  const lexemes: Lexeme[] = [];
  let at = 0;

  /** To the space, quote, bar or unbalanced bracket that ends a bare token. */
  function takeBare(): string {
    const start = at;
    let depth = 0;
    for (; at < source.length; at++) {
      const character = source.charAt(at);
      if (character === '"' || character === '|' || whiteSpace.test(character)) break;
      if (character === '(') depth++;
      if (character === ')' && --depth < 0) break;
    }
    return source.slice(start, at);
  }

  /** To the closing quote, or to the end when there is none. */
  function takePhrase(): string {
    const start = at + 1;
    const close = source.indexOf('"', start);
    at = close < 0 ? source.length : close + 1;
    return source.slice(start, close < 0 ? source.length : close);
  }

  /** The operator that stands here with its value following at once; `at` moves to the value. */
  function takeOperator(): Operator | undefined {
    operatorPrefix.lastIndex = at;
    const name = operatorPrefix.exec(source)?.[1];
    if (name === undefined) return undefined;
    const next = source.charAt(operatorPrefix.lastIndex);
    if (next === '' || next === ')' || next === '|' || whiteSpace.test(next)) return undefined;
    at = operatorPrefix.lastIndex;
    return name.toLowerCase() as Operator;
  }

  /** A sign counts when something other than a sign, a space or the end of a group follows it. */
  function takeSign(): Sign {
    const sign = isMinus(source[at]) ? '-' : source[at] === '+' ? '+' : '';
    const next = source[at + 1];
    if (sign === '' || next === undefined) return '';
    if (isMinus(next) || next === '+' || next === '|' || next === ')' || whiteSpace.test(next)) return '';
    at++;
    return sign;
  }

  function takeUnary(): Lexeme {
    const sign = takeSign();
    if (source[at] === '(') {
      at++;
      return { kind: 'open', sign };
    }
    const operator = takeOperator();
    const quoted = source[at] === '"';
    const start = quoted ? at + 1 : at;
    const text = quoted ? takePhrase() : takeBare();
    if (!quoted && sign === '' && operator === undefined) {
      if (text === 'OR') return { kind: 'or' };
      if (text === 'AND') return { kind: 'and' };
    }
    return { kind: 'leaf', sign, operator, text, start, quoted };
  }

  while (at < source.length) {
    const character = source.charAt(at);
    if (whiteSpace.test(character)) at++;
    else if (character === ')') {
      lexemes.push({ kind: 'close' });
      at++;
    } else if (character === '|') {
      lexemes.push({ kind: 'or' });
      at++;
    } else lexemes.push(takeUnary());
  }
  return lexemes;
}
