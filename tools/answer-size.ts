import { basicPlane } from '../src/text/characters.ts';

/** Maximum length of a tool's answer as JSON: Claude Code keeps longer ones (in characters or tokens) out of the context. */
export const maxAnswerChars = 50_000;
/** By our estimate. Clients allow 25,000 by their own tokenizer, which may count slightly more. */
export const maxAnswerTokens = 23_500;

/** A size: characters as JSON, and tokens by our estimate. */
export interface Size {
  readonly chars: number;
  readonly tokens: number;
}

/** Cost of the first digit of a number; the following digits are cheaper. */
const firstDigit = 1.55;

/**
 * Tokens per UTF-16 unit: an upper bound for text of any language, and for random runs of most characters, in OpenAI's
 * o200k_base and cl100k_base (measured by test/tools/answer-size.test.ts). Later rows override earlier ones.
 */
const costs: readonly (readonly [pattern: RegExp, tokens: number])[] = [
  [/[\p{Script=Latin}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Thai}]+/gu, 1.6],
  [/[\p{Script=Hiragana}\p{Script=Katakana}\u3001-\u3011\uff01-\uff5e]+/gu, 1.5],
  [/\p{Script=Devanagari}+/gu, 1.9],
  [/\p{Script=Cyrillic}+/gu, 1.15],
  [/[\u2010-\u2026\u00a0-\u00bf]+/g, 1.5],
  [/[!-~]+/g, 0.85],
  [/[0-9]+/g, 0.5],
  [/[A-Z]+/g, 0.8],
  [/[a-z]+/g, 0.55],
  [/\s+/g, 0.5],
];

/** The rows of common ideographs and syllables in the legacy character sets of East Asia. */
const common: readonly (readonly [encoding: string, firstRow: number, lastRow: number])[] = [
  ['gbk', 0xb0, 0xd7],
  ['big5', 0xa4, 0xc6],
  ['euc-jp', 0xb0, 0xcf],
  ['euc-kr', 0xb0, 0xc8],
];
const unknownCharacter = 3;
const halfOfPair = 2;
/** Above the maximum of three tokens: a text with rare ideographs is unusual, and its common ones cost more, too. */
const rareIdeograph = 3.2;
const commonIdeograph = 1.5;
const ideographs = /[\p{Script=Han}\p{Script=Hangul}]+/gu;

/** Below it are all alphabets, punctuation and most symbols, but no ideographs. */
const firstOfEastAsia = 0x3000;

/** Units of alphabets by blocks of 256, of which an answer has few; and all units. Both are made when they are needed. */
const tables: { readonly blocks: Float32Array[]; all?: Float32Array } = { blocks: [] };

/** The cost of each unit of a text without surrogates. */
function costsOf(text: string): Float32Array {
  const byUnit = new Float32Array(text.length).fill(unknownCharacter);
  const fill = (pattern: RegExp, cost: number) => {
    for (const { 0: run, index } of text.matchAll(pattern)) byUnit.fill(cost, index, index + run.length);
  };
  for (const [pattern, cost] of costs) fill(pattern, cost);
  fill(ideographs, rareIdeograph);
  return byUnit;
}

function createTable(): Float32Array {
  const byUnit = costsOf(basicPlane());
  for (const [encoding, firstRow, lastRow] of common) {
    const bytes: number[] = [];
    for (let row = firstRow; row <= lastRow; row++)
      for (let cell = 0x40; cell <= 0xfe; cell++) bytes.push(row, cell);
    for (const [run] of new TextDecoder(encoding).decode(Uint8Array.from(bytes)).matchAll(ideographs))
      for (let at = 0; at < run.length; at++) byUnit[run.charCodeAt(at)] = commonIdeograph;
  }
  return byUnit.fill(halfOfPair, 0xd800, 0xe000);
}

function costOf(code: number): number {
  if (code < firstOfEastAsia) {
    const block = code >> 8;
    tables.blocks[block] ??= costsOf(
      String.fromCharCode(...Array.from({ length: 256 }, (_, unit) => (block << 8) + unit)),
    );
    return tables.blocks[block][code & 0xff] as number;
  }
  tables.all ??= createTable();
  return tables.all[code] as number;
}

/** Adds up the size of a text from `start`, up to `end` or to the character that would exceed `max`. */
function measure(text: string, start: number, end: number, max: Size): Size & { readonly end: number } {
  let chars = 0;
  let tokens = 0;
  let wasDigit = false;
  for (let offset = start; offset < end; offset++) {
    const code = text.charCodeAt(offset);
    const isDigit = code >= 0x30 && code <= 0x39;
    const isEscaped = code < 0x20 || code === 0x22 || code === 0x5c;
    const moreChars = isEscaped ? 2 : 1;
    const moreTokens = isDigit && !wasDigit ? firstDigit : costOf(code) * moreChars;
    if (chars + moreChars > max.chars || tokens + moreTokens > max.tokens)
      return { chars, tokens, end: offset };
    chars += moreChars;
    tokens += moreTokens;
    wasDigit = isDigit;
  }
  return { chars, tokens, end };
}

const unlimited: Size = { chars: Number.POSITIVE_INFINITY, tokens: Number.POSITIVE_INFINITY };

/** The size of a visible text within a JSON string; the tokens are an upper bound. */
export function sizeOf(text: string): Size {
  return measure(text, 0, text.length, unlimited);
}

/** How many UTF-16 units of `text`, from `start`, fit into a size. */
export function fittingLength(text: string, start: number, max: Size): number {
  return measure(text, start, text.length, max).end - start;
}
