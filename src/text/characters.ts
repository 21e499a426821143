/** The kinds of characters that the tokenizer distinguishes. */
export const separator = 0;
export const lowerLetter = 1;
export const upperLetter = 2;
export const digit = 3;
export const mark = 4;
export const cjkCharacter = 5;
export const spacelessLetter = 6;
export const connector = 7;
export const surrogate = 8;
export const symbol = 9;

/** Scripts that are indexed as overlapping bigrams. */
const cjkScripts =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Bopomofo}ー';
/** Scripts that are written without spaces and that `Intl.Segmenter` has a dictionary for. */
const spacelessScripts = '\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';

/** A later row overrides an earlier one. */
const rows: readonly (readonly [pattern: string, kind: number])[] = [
  ['\\p{Extended_Pictographic}', symbol],
  ['\\p{L}', lowerLetter],
  ['\\p{Lu}\\p{Lt}', upperLetter],
  ['\\p{N}', digit],
  ['\\p{M}', mark],
  [spacelessScripts, spacelessLetter],
  ['\\u3099\\u309A', mark],
  [cjkScripts, cjkCharacter],
  ["._\\-\\u2010/@&'\\u2019:,+#", connector],
  ['\\u00A9\\u00AE', separator],
];

/** Every UTF-16 unit in order, so that an offset in it is a code. Spaces replace the surrogates. */
export function basicPlane(): string {
  const codes = new Uint16Array(0x10000);
  for (let code = 0; code < codes.length; code++) codes[code] = code;
  return textOf(codes.fill(0x20, 0xd800, 0xe000));
}

function textOf(codes: Uint16Array): string {
  return new TextDecoder('utf-16le', { ignoreBOM: true }).decode(codes);
}

/** Blocks that are of one kind in every version of Unicode that Node has had: two thirds of the plane. */
const blocks: readonly (readonly [first: number, end: number, kind: number])[] = [
  [0x3400, 0x4dc0, cjkCharacter],
  [0x4e00, 0xa000, cjkCharacter],
  [0xac00, 0xd7a4, cjkCharacter],
  [0xd800, 0xe000, surrogate],
  [0xe000, 0xf900, separator],
];

/** Matches the rows with what is between the blocks alone, which takes half of the time. */
function buildKinds(): Uint8Array {
  const built = new Uint8Array(0x10000);
  for (const [first, end, kind] of blocks) built.fill(kind, first, end);
  const between = [...blocks, [0x10000, 0x10000] as const].map(
    ([first], index) => [blocks[index - 1]?.[1] ?? 0, first] as const,
  );
  const codes = new Uint16Array(between.reduce((sum, [first, end]) => sum + end - first, 0));
  let length = 0;
  for (const [first, end] of between) for (let code = first; code < end; code++) codes[length++] = code;
  const text = textOf(codes);
  const found = new Uint8Array(length);
  for (const [pattern, kind] of rows) {
    for (const { 0: run, index } of text.matchAll(new RegExp(`[${pattern}]+`, 'gu')))
      found.fill(kind, index, index + run.length);
  }
  let offset = 0;
  for (const [first, end] of between) {
    built.set(found.subarray(offset, offset + end - first), first);
    offset += end - first;
  }
  return built;
}

let kinds: Uint8Array | undefined;

/** The kind of every UTF-16 code unit: 64 KB, built at the first call (a few milliseconds). */
export function characterKinds(): Uint8Array {
  kinds ??= buildKinds();
  return kinds;
}

/** The classes of UTF-16 units in a word. */
export const plain = 0;
export const notPlain = 1;
export const noWord = 2;

let units: Uint8Array | undefined;

/**
 * The class of every UTF-16 unit: `plain` for lower-case ASCII letters and digits, `notPlain` for other letters, digits
 * and marks, `noWord` for all others.
 */
export function wordUnits(): Uint8Array {
  units ??= characterKinds().map((kind, code) => {
    if (kind === separator || kind > mark) return noWord;
    return code < 0x80 && kind !== upperLetter ? plain : notPlain;
  });
  return units;
}

const supplementary: readonly (readonly [RegExp, number])[] = [
  [new RegExp(`^[${cjkScripts}]$`, 'u'), cjkCharacter],
  [/^[\p{Extended_Pictographic}\p{Regional_Indicator}]$/u, symbol],
  [/^\p{Lu}$/u, upperLetter],
  [/^\p{L}$/u, lowerLetter],
  [/^\p{N}$/u, digit],
  [/^\p{M}$/u, mark],
];

/** The kind of a character beyond the basic plane. */
export function supplementaryKind(character: string): number {
  return supplementary.find(([pattern]) => pattern.test(character))?.[1] ?? separator;
}
