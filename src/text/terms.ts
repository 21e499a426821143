import { cjkQueryTerms, cjkWords, type VisitTerm, visitCjkTerms } from './cjk.ts';
import { copyString, maxCopiedSlice } from './copy-string.ts';
import { foldWord, normalizeForm } from './fold.ts';
import { functionWordWeight } from './language/function-words.ts';
import { alignNormalForm } from './normal-form.ts';
import { segmentsOf } from './segments.ts';
import { stemTerm } from './stems.ts';
import { type ChunkKind, createUnitsOf, maxTermLength, tokenize } from './tokenizer.ts';
import { type WordTerm, wordTerms } from './words.ts';

/** One term of a query. */
export interface Word {
  /** The exact form, as `indexTerms` returns it. */
  readonly term: string;
  /** The stem's index term, by which other forms of the word match too; null if only the exact form may match. */
  readonly stem: string | null;
  /** A word that is not required only raises the score (function words of a question, links of a CJK chain). */
  readonly required: boolean;
  /** The weight among the words of the query: 1 for a content word. */
  readonly weight: number;
}

/** A term with its UTF-16 offsets in the original text. */
export interface Token {
  readonly term: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The rest of a longer word is dropped. No term is lost: a compound has no connector after `maxTermLength`, and its last
 * piece is cut anyway.
 */
export const maxWordLength = 2 * maxTermLength;
/** The weight of the bigrams across the words of a CJK run; docs/relevance.md says how it was chosen. */
const linkWeight = 0.4;
const maxCachedWords = 20_000;
const cache = new Map<string, readonly WordTerm[]>();

/** `wordTerms`, cached: most words of a text were in the text before it. */
function cachedWordTerms(word: string): readonly WordTerm[] {
  const cachedTerms = cache.get(word);
  if (cachedTerms) return cachedTerms;
  const own = copyString(word);
  const terms = wordTerms(own);
  if (cache.size >= maxCachedWords) cache.clear();
  cache.set(own, terms);
  return terms;
}

const unitsOf = createUnitsOf();

/** Calls `visit` for every term of a text in normal form, in the order of their starts. `visit` must not call it. */
export function visitTerms(text: string, visit: VisitTerm): void {
  const visitChunk = (kind: ChunkKind, start: number, end: number): void =>
    visitChunkTerms(kind, text.slice(start, end), start, visit);
  tokenize(text, visitChunk, unitsOf(text));
}

/** The terms of one chunk that begins at `start` of a text. They depend on the chunk alone. */
function visitChunkTerms(kind: ChunkKind, chunk: string, start: number, visit: VisitTerm): void {
  if (kind === 'plain' && chunk.length <= maxCopiedSlice) visit(chunk, start, start + chunk.length);
  else if (kind === 'symbol') visit(chunk, start, start + chunk.length);
  else if (kind === 'cjk') visitCjkTerms(chunk, (term, from, to) => visit(term, start + from, start + to));
  else if (kind === 'spaceless') {
    for (const { segment, index } of segmentsOf(chunk)) {
      visit(foldWord(copyString(segment)), start + index, start + index + segment.length);
    }
  } else {
    for (const part of cachedWordTerms(chunk.slice(0, maxWordLength)))
      visit(part.term, start + part.start, start + part.end);
  }
}

/** The index terms of a chunk that is a word or a symbol, not cached; a chunk is `maxWordLength` units long at most. */
export function chunkTerms(kind: 'plain' | 'compound' | 'symbol', chunk: string): readonly WordTerm[] {
  return kind === 'compound'
    ? wordTerms(chunk)
    : [{ term: chunk, start: 0, end: chunk.length, role: 'piece' }];
}

/**
 * Every index term of a text, with repeats: exact words, compounds and their parts, bigrams and single
 * characters of Han, kana and hangul. The same for pages and for queries; linear in the length.
 */
export function indexTerms(text: string): string[] {
  const terms: string[] = [];
  visitTerms(normalizeForm(text), (term) => terms.push(term));
  return terms;
}

/** The terms of `indexTerms` with their offsets in the original text, in reading order. */
export function locateTerms(text: string): Token[] {
  const tokens: Token[] = [];
  const normal = alignNormalForm(text);
  visitTerms(normal.text, (term, start, end) => {
    tokens.push({ term, start: normal.startOf(start), end: normal.endOf(end) });
  });
  return tokens;
}

/**
 * The words of one bare token, or of a quoted text, each with the term that must match.
 *
 * Of a compound (`asyncio.TaskGroup`), the pieces between its connectors are required (asyncio, taskgroup). The compound
 * itself only raises the score, so pages that write it in another way match too. In quotes the compound is required, as
 * pairs of adjacent pieces. A single piece (`useEffect`, `C++`, `.NET`, `v1.2.3`) is required as a whole, never as its
 * parts. For a run of Han, kana or hangul see `cjkQueryTerms`. The scheme of a URL is not required, unless there is
 * nothing else. Stems are those of `lang`, a primary subtag; quoted words have none. Every term, required or not, is one
 * that `indexTerms` returns for the same text.
 */
export function queryWords(text: string, options: { quoted: boolean; lang: string }): Word[] {
  const { quoted, lang } = options;
  const normal = normalizeForm(text);
  const words = new Map<string, Word>();
  function add(term: string, required: boolean, weight = 1): void {
    if (!required && words.has(term)) return;
    words.set(term, { term, stem: quoted ? null : stemTerm(term, lang), required, weight });
  }
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a case for each kind of chunk of a query
  tokenize(normal, (kind, start, end) => {
    const chunk = normal.slice(start, end);
    if (kind === 'cjk') {
      const { required, optional } = cjkQueryTerms(chunk, quoted);
      for (const term of required) add(term, true);
      const weight = required.length > 0 ? linkWeight : functionWordWeight;
      for (const term of optional) add(term, false, weight);
    } else if (kind === 'spaceless') {
      for (const { segment } of segmentsOf(chunk)) add(foldWord(segment), true);
    } else if (kind === 'symbol') {
      add(chunk, true);
    } else {
      const isScheme = normal.startsWith('://', end);
      for (const { term, role } of wordTerms(chunk.slice(0, maxWordLength))) {
        if (role !== 'extra') add(term, !isScheme && (role === 'piece' || (role === 'exact' && quoted)));
      }
    }
  });
  const wordList = [...words.values()];
  if (wordList.some(({ required }) => required)) return wordList;
  return wordList.map((word) => ({ ...word, required: true, weight: 1 }));
}

/** A word as it was typed, and the terms that a page must have to hold it. */
export interface TypedWord {
  readonly typed: string;
  readonly terms: readonly string[];
}

/**
 * The words of a bare token as they are shown to users: the pieces of a compound, the words of a run of Han, kana or
 * hangul. Their terms are those that `queryWords` requires.
 */
export function typedWords(text: string): TypedWord[] {
  const normal = normalizeForm(text);
  const words: TypedWord[] = [];
  tokenize(normal, (kind, start, end) => {
    const chunk = normal.slice(start, end);
    if (kind === 'cjk') {
      for (const { word, terms } of cjkWords(chunk)) words.push({ typed: word, terms });
    } else if (kind === 'spaceless') {
      for (const { segment } of segmentsOf(chunk)) words.push({ typed: segment, terms: [foldWord(segment)] });
    } else if (kind === 'symbol') {
      words.push({ typed: chunk, terms: [chunk] });
    } else {
      for (const part of wordTerms(chunk.slice(0, maxWordLength))) {
        if (part.role === 'piece')
          words.push({ typed: chunk.slice(part.start, part.end), terms: [part.term] });
      }
    }
  });
  return words;
}
