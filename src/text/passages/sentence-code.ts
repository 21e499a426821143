import type { ParagraphKind } from './paragraphs.ts';
import { endsSentence, type Stretch } from './sentences.ts';

/** Factors for the score of paragraphs by kind, unless they are full sentences. */
const kindFactors: Readonly<Record<Exclude<ParagraphKind, 'text'>, number>> = {
  item: 0.6,
  row: 0.6,
  heading: 0.5,
  title: 0.3,
};
const sentenceInList = 0.9;
const shortSentence = 0.85;
/** Maximum share that a sentence loses for having fewer than `plenty` letters. */
const brevityLoss = 0.1;
export const plenty = 120;
const longFragment = 0.8;
const shortFragment = 0.55;
/** Han and kana, as in a class of an expression. */
export const ideographs = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}';
const everyIdeograph = new RegExp(`[${ideographs}]`, 'gu');
/** How many letters more than its units an ideograph counts for. */
export const lettersOfIdeograph = 2;
/** In letters. */
const minFullSentenceLength = 40;

interface Row {
  readonly kind: ParagraphKind;
  readonly quality: number;
}

const listKinds = ['title', 'heading', 'item', 'row'] as const;
const firstInList = listKinds.length;
const shortCode = firstInList + listKinds.length;
const longFragmentCode = shortCode + 1;
export const shortFragmentCode = longFragmentCode + 1;
const firstFullCode = shortFragmentCode + 1;

/** All that can be said of a sentence, by its code. The codes are written into segments: changing them changes the format. */
const rows: readonly Row[] = [
  ...listKinds.map((kind) => ({ kind, quality: kindFactors[kind] })),
  ...listKinds.map((kind) => ({ kind, quality: kind === 'title' ? kindFactors.title : sentenceInList })),
  { kind: 'text', quality: shortSentence },
  { kind: 'text', quality: longFragment },
  { kind: 'text', quality: shortFragment },
  ...Array.from({ length: plenty - minFullSentenceLength + 1 }, (_, more): Row => {
    return { kind: 'text', quality: 1 - brevityLoss * (1 - (minFullSentenceLength + more) / plenty) };
  }),
];

/** Codes are below this number. */
export const sentenceCodes = rows.length;

/** Added to the code of a sentence that begins its paragraph. */
export const firstFlag = 0x80;

/** The kind of the paragraph that a sentence with this code is in. */
export function sentenceKind(code: number): ParagraphKind {
  return (rows[code] as Row).kind;
}

/** How well a sentence with this code reads, whatever the query: 1 for a full sentence. */
export function sentenceQuality(code: number): number {
  return (rows[code] as Row).quality;
}

/** The code of a sentence of a paragraph: its kind and its quality. */
export function sentenceCode(body: string, { start, end }: Stretch, kind: ParagraphKind): number {
  return codeOf(kind, letterCount(body, start, end), endsSentence(body, end));
}

/** How long a sentence is, in letters; at most `plenty`, or a few more. */
export function letterCount(body: string, start: number, end: number): number {
  if (end - start >= plenty) return plenty;
  const text = body.slice(start, end);
  return text.length + lettersOfIdeograph * (text.match(everyIdeograph)?.length ?? 0);
}

/** The code of a sentence, from the kind of its paragraph, its number of letters, and whether it ends with a stop. */
export function codeOf(kind: ParagraphKind, letters: number, isEnded: boolean): number {
  const isFull = isEnded && letters >= minFullSentenceLength;
  if (kind !== 'text') return (isFull ? firstInList : 0) + listKinds.indexOf(kind);
  if (isFull) return firstFullCode + Math.min(letters, plenty) - minFullSentenceLength;
  if (isEnded) return shortCode;
  return letters >= 2 * minFullSentenceLength ? longFragmentCode : shortFragmentCode;
}
