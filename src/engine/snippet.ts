import { locateTerms, type Token } from '../text/terms.ts';

const shortest = 80;
const longest = 240;

/** A stretch of the body, in UTF-16 offsets, and how well it answers the query. */
interface Passage {
  readonly start: number;
  readonly end: number;
  readonly score: number;
  readonly matched: ReadonlySet<string>;
}

export interface SnippetSource {
  readonly body: string;
  readonly description: string;
}

/**
 * A plain-text excerpt in one line: the passage of the body that holds most of the query by summed idf, and a second
 * one where it adds words that the first lacks, joined by ` … `. A body without any of the words gives the page's
 * description, else its beginning. At most about 490 characters; never markup, never a line break.
 */
export function makeSnippet({ body, description }: SnippetSource, idf: ReadonlyMap<string, number>): string {
  const found = idf.size === 0 ? [] : locateTerms(body).filter(({ term }) => idf.has(term));
  if (found.length === 0) {
    const text = description.trim() === '' ? body : description;
    return cut(text, { start: 0, end: Math.min(text.length, longest) });
  }
  const passages = scorePassages(splitPassages(body), found, idf);
  const [best, second] = bestTwo(passages, idf);
  if (!best) return '';
  const shown = second ? [best, second].sort((a, b) => a.start - b.start) : [best];
  return shown.map((passage) => cut(body, passage)).join(' … ');
}

interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** Ends of sentences in the scripts we know, and line ends; a full stop only before a space, for the sake of 3.14. */
const sentenceEnd = /[.!?](?=\s)|[。！？；]|\n/gu;

/** Cuts a text into passages at sentence borders: short sentences of one line are put together, long ones cut. */
function splitPassages(body: string): Stretch[] {
  const passages: Stretch[] = [];
  let start = 0;
  const close = (end: number): void => {
    for (; end - start > longest; start = wordBorder(body, start + longest)) {
      passages.push({ start, end: wordBorder(body, start + longest) });
    }
    if (body.slice(start, end).trim() !== '') passages.push({ start, end });
    start = end;
  };
  for (const { index, 0: mark } of body.matchAll(sentenceEnd)) {
    const end = index + 1;
    if (mark === '\n' || end - start >= shortest) close(end);
  }
  close(body.length);
  return passages;
}

function scorePassages(
  stretches: readonly Stretch[],
  found: readonly Token[],
  idf: ReadonlyMap<string, number>,
): Passage[] {
  const passages: Passage[] = [];
  let next = 0;
  stretches.forEach(({ start, end }, place) => {
    const matched = new Set<string>();
    let score = 0;
    let before: Token | undefined;
    for (; next < found.length && (found[next] as Token).start < end; next++) {
      const token = found[next] as Token;
      if (!matched.has(token.term)) score += idf.get(token.term) ?? 0;
      if (before && before.term !== token.term && token.start - before.end <= 1) score += 0.5;
      matched.add(token.term);
      before = token;
    }
    if (matched.size > 0) {
      const tooShort = end - start < shortest ? 0.7 : 1;
      passages.push({ start, end, matched, score: score * tooShort - Math.min(place, 50) * 0.01 });
    }
  });
  return passages;
}

/** The best passage, and the one that adds most of what it lacks, if any does. */
function bestTwo(passages: readonly Passage[], idf: ReadonlyMap<string, number>): (Passage | undefined)[] {
  const best = passages.reduce<Passage | undefined>((a, b) => (a && a.score >= b.score ? a : b), undefined);
  let second: Passage | undefined;
  let most = 0;
  for (const passage of passages) {
    if (passage === best) continue;
    let added = 0;
    for (const term of passage.matched) if (!best?.matched.has(term)) added += idf.get(term) ?? 0;
    if (added > most) [second, most] = [passage, added];
  }
  return [best, second];
}

/** One line of the text, at most `longest` characters, cut at borders of words. */
function cut(text: string, { start, end }: Stretch): string {
  const stop = end < text.length ? wordBorder(text, end) : end;
  return text.slice(start, stop).replace(/\s+/gu, ' ').trim();
}

/** The last border of a word at or before an offset, at most 40 characters back; never inside a code point. */
function wordBorder(text: string, offset: number): number {
  for (let at = offset; at > offset - 40 && at > 0; at--) {
    if (/[\s\p{P}]/u.test(text[at - 1] as string) || isHan(text.charCodeAt(at - 1))) return at;
  }
  const inside = text.charCodeAt(offset - 1) >= 0xd800 && text.charCodeAt(offset - 1) <= 0xdbff;
  return inside ? offset - 1 : offset;
}

function isHan(unit: number): boolean {
  return unit >= 0x3040 && unit <= 0x9fff;
}
