/** What no answer of a tool passes, as JSON: Claude Code puts longer ones aside, in characters or in tokens. */
export const maxAnswerChars = 50_000;
/** By our estimate; the limit of clients is 25,000 by a tokenizer, and theirs may count a little more. */
export const maxAnswerTokens = 23_500;

/** How much of something there may be: characters as JSON, and tokens by our estimate. */
export interface Size {
  readonly chars: number;
  readonly tokens: number;
}

/** A digit that begins a number; those that follow are cheaper. */
const firstDigit = 1.55;

/**
 * Tokens for each UTF-16 unit, such that text of any language and random runs of most characters stay below by
 * OpenAI's o200k_base and cl100k_base: measured, see test/tools/answer-size.test.ts. Later rows win.
 */
const costs: readonly (readonly [pattern: RegExp, tokens: number])[] = [
  [/[\p{Script=Latin}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Thai}]/gu, 1.6],
  [/[\p{Script=Hiragana}\p{Script=Katakana}\u3001-\u3011\uff01-\uff5e]/gu, 1.5],
  [/\p{Script=Devanagari}/gu, 1.9],
  [/\p{Script=Cyrillic}/gu, 1.15],
  [/[\u2010-\u2026\u00a0-\u00bf]/g, 1.5],
  [/[!-~]/g, 0.85],
  [/[0-9]/g, 0.5],
  [/[A-Z]/g, 0.8],
  [/[a-z]/g, 0.55],
  [/\s/g, 0.5],
];

/** Where the old character sets of East Asia have their common ideographs and syllables. */
const common: readonly (readonly [encoding: string, firstRow: number, lastRow: number])[] = [
  ['gbk', 0xb0, 0xd7],
  ['big5', 0xa4, 0xc6],
  ['euc-jp', 0xb0, 0xcf],
  ['euc-kr', 0xb0, 0xc8],
];
const unknownCharacter = 3;
const halfOfPair = 2;
/** More than the three tokens that one can be: where there are rare ones, the common ones are no text either. */
const rareIdeograph = 3.2;
const commonIdeograph = 1.5;

let table: Float32Array | undefined;

function createTable(): Float32Array {
  const made = new Float32Array(0x10000).fill(unknownCharacter).fill(halfOfPair, 0xd800, 0xe000);
  const plane = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).join('');
  const fill = (text: string, pattern: RegExp, cost: number) => {
    for (const { 0: found } of text.matchAll(pattern)) made[found.charCodeAt(0)] = cost;
  };
  const ideograph = /[\p{Script=Han}\p{Script=Hangul}]/gu;
  for (const [pattern, cost] of costs) fill(plane, pattern, cost);
  fill(plane, ideograph, rareIdeograph);
  for (const [encoding, firstRow, lastRow] of common) {
    const bytes: number[] = [];
    for (let row = firstRow; row <= lastRow; row++)
      for (let cell = 0x40; cell <= 0xfe; cell++) bytes.push(row, cell);
    fill(new TextDecoder(encoding).decode(Uint8Array.from(bytes)), ideograph, commonIdeograph);
  }
  return made;
}

/** What each further character of a text adds, and where a size is reached. */
function measure(text: string, start: number, end: number, max: Size): Size & { readonly end: number } {
  table ??= createTable();
  let chars = 0;
  let tokens = 0;
  let wasDigit = false;
  for (let place = start; place < end; place++) {
    const code = text.charCodeAt(place);
    const isDigit = code >= 0x30 && code <= 0x39;
    const isEscaped = code < 0x20 || code === 0x22 || code === 0x5c;
    const moreChars = isEscaped ? 2 : 1;
    const moreTokens = isDigit && !wasDigit ? firstDigit : (table[code] as number) * moreChars;
    if (chars + moreChars > max.chars || tokens + moreTokens > max.tokens)
      return { chars, tokens, end: place };
    chars += moreChars;
    tokens += moreTokens;
    wasDigit = isDigit;
  }
  return { chars, tokens, end };
}

const unlimited: Size = { chars: Number.POSITIVE_INFINITY, tokens: Number.POSITIVE_INFINITY };

/** The size of a text of visible characters as a part of a JSON string, at most about this by a tokenizer. */
export function sizeOf(text: string): Size {
  return measure(text, 0, text.length, unlimited);
}

/** How many UTF-16 units of `text` from `start` on fit into a size. */
export function fittingLength(text: string, start: number, max: Size): number {
  return measure(text, start, text.length, max).end - start;
}
