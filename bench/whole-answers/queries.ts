import type { Page } from '../../src/page.ts';
import { createRandom } from '../engines/queries.ts';

/** A search of a class of queries. */
export interface ClassSearch {
  readonly q: string;
  readonly limit?: number;
}

export interface QueryClass {
  readonly name: string;
  readonly searches: readonly ClassSearch[];
}

/** Shares of the pages that have a word: the borders of the classes. */
const rareShare = 0.002;
const commonShare = 0.03;
const minPages = 2;

const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{3,}/gu;

/** `count` searches of each class, drawn from pages. The same pages give the same searches. */
export function drawClasses(pages: readonly Page[], count: number): QueryClass[] {
  const random = createRandom(20_261_122);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const { rare, middling, common } = wordsByFrequency(pages);
  const titles = pages
    .map(({ title }) => title.match(/[A-Za-z]{3,}/g) ?? [])
    .filter((words) => words.length > 1);
  const titleRun = (): string[] => {
    const words = pick(titles);
    const start = Math.floor(random() * (words.length - 1));
    return words.slice(start, start + 2 + Math.floor(random() * 3));
  };
  const runs = pages.flatMap(({ body }) => body.slice(0, 2000).match(cjk) ?? []);
  const several = (words: number, list: readonly string[]): string[] =>
    Array.from({ length: words }, () => pick(list));
  const draw = (name: string, q: () => string, limit?: number): QueryClass => {
    const queries = Array.from({ length: count }, q);
    return {
      name,
      searches: queries.map((text) => (limit === undefined ? { q: text } : { q: text, limit })),
    };
  };
  return [
    draw('one rare word', () => pick(rare)),
    draw('one middling word', () => pick(middling)),
    draw('one common word', () => pick(common)),
    draw('2 to 4 words of a title', () => titleRun().join(' ')),
    draw('3 common words', () => several(3, common).join(' ')),
    draw('phrase of a title', () => `"${titleRun().join(' ')}"`),
    draw('OR of 2 common words', () => several(2, common).join(' OR ')),
    draw('OR of 32 common words', () => several(32, common).join(' OR ')),
    draw('one common word, limit 100', () => pick(common), 100),
    ...(runs.length > 0 ? [draw('Chinese and Japanese', () => pick(runs).slice(0, 4))] : []),
    draw('OR of common words, 512 characters', () => orOfLength(512, () => pick(common))),
    draw('OR of common words, 2,048 characters', () => orOfLength(2048, () => pick(common))),
  ];
}

/** The word that `notAskedBefore` adds belongs to the length. */
const addedLength = 20;

/** As many words with OR between them as there is room for. */
function orOfLength(length: number, word: () => string): string {
  let q = word();
  for (let next = word(); q.length + 4 + next.length <= length - addedLength; next = word())
    q += ` OR ${next}`;
  return q;
}

/** Words of small Latin letters by the number of pages that have them. */
function wordsByFrequency(pages: readonly Page[]) {
  const counts = new Map<string, number>();
  for (const { title, body } of pages) {
    const words =
      `${title} ${body}`.toLowerCase().match(/(?<![\p{L}\p{N}])[a-z]{3,16}(?![\p{L}\p{N}])/gu) ?? [];
    for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const within = (from: number, to: number): string[] =>
    [...counts].flatMap(([word, count]) => (count >= from && count < to ? [word] : []));
  const rareEnd = Math.max(minPages + 1, rareShare * pages.length);
  return {
    rare: within(minPages, rareEnd),
    middling: within(rareEnd, commonShare * pages.length),
    common: within(commonShare * pages.length, pages.length / 2),
  };
}
