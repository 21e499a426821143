import { foldForComparison } from '../../src/text/line/fold-for-comparison.ts';
import { stripInvisible } from '../../src/text/line/invisible.ts';

const token =
  /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\P{L}\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+|\p{N}+/gu;
const shingleLength = 4;

export interface Agreement {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

/** Lower-case words and numbers; Han, kana and hangul one by one. */
export function tokens(text: string): string[] {
  return text.toLowerCase().match(token) ?? [];
}

/** Agreement of two bags of words. Two empty texts agree. */
export function wordAgreement(truth: string, found: string): Agreement {
  return agreement(tokens(truth), tokens(found));
}

/** The metric of scrapinghub/article-extraction-benchmark: agreement of the bags of four tokens in a row. */
export function shingleAgreement(truth: string, found: string): Agreement {
  return agreement(shingles(tokens(truth)), shingles(tokens(found)));
}

function shingles(words: readonly string[]): string[] {
  if (words.length === 0) return [];
  if (words.length < shingleLength) return [words.join(' ')];
  return words.slice(shingleLength - 1).map((_, at) => words.slice(at, at + shingleLength).join(' '));
}

function agreement(expected: readonly string[], actual: readonly string[]): Agreement {
  if (expected.length === 0 && actual.length === 0) return { precision: 1, recall: 1, f1: 1 };
  const left = new Map<string, number>();
  for (const item of expected) left.set(item, (left.get(item) ?? 0) + 1);
  let hits = 0;
  for (const item of actual) {
    const count = left.get(item) ?? 0;
    if (count > 0) hits++;
    left.set(item, count - 1);
  }
  return {
    precision: actual.length === 0 ? 0 : hits / actual.length,
    recall: expected.length === 0 ? 0 : hits / expected.length,
    f1: (2 * hits) / (expected.length + actual.length),
  };
}

/** How many of the strings a text holds, runs of white space being one space. */
export function countHeld(text: string, strings: readonly string[]): number {
  const squeezed = squeeze(text);
  return strings.filter((string) => squeezed.includes(squeeze(string))).length;
}

const squeeze = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Equal but for case, punctuation and soft hyphens. */
export function sameTitle(truth: string, found: string): boolean {
  return foldForComparison(stripInvisible(truth)) === foldForComparison(stripInvisible(found));
}

/** The same people in any order, but for case and punctuation. */
export function sameAuthors(truth: readonly string[], found: string): boolean {
  return people(truth.join(', ')) === people(found);
}

function people(names: string): string {
  const list = names.split(/[,;&]|\s+(?:and|und|et|y)\s+/i).map(foldForComparison);
  return [...new Set(list.filter((name) => name !== ''))].sort().join('|');
}

export const mean = (numbers: readonly number[]): number =>
  numbers.length === 0 ? 0 : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
