import * as is from '../characters.ts';
import { copyString } from '../copy-string.ts';
import { isAscii, normalizeForm } from '../fold.ts';
import { alignNormalForm, isPlainForm } from '../normal-form.ts';
import { stemPrefix } from '../stem-prefix.ts';
import { stemMark, stemmedLanguage, stemTerm } from '../stems.ts';
import { type Token, visitTerms } from '../terms.ts';
import { createUnitsOf } from '../tokenizer.ts';
import { simpleWord } from '../words.ts';
import { type Occurrences, type WordForm, wordNumbers } from './occurrences.ts';
import { shortTextVisitor, type VisitStretches } from './short-texts.ts';
import { type Prefilter, termPrefilter } from './term-prefilter.ts';

/** An occurrence of a query term in a text, in UTF-16 offsets. */
export interface FoundTerm extends Token, WordForm {
  readonly term: string;
}

/** Exact terms and stem terms with their weights. */
export type TermWeights = ReadonlyMap<string, number>;

/** Longer stretches are not cached: they hardly ever repeat. */
const maxCachedLength = 64;
const maxCached = 20_000;
/** Titles and addresses are looked through in another way; in UTF-16 units. */
const shortText = 256;

/**
 * The tokens of `locateTerms(text)` whose term, or whose stem in `lang`, is in `terms`, in the order of
 * `inReadingOrder`; at most the first `maxTerms`. Of a long text a prefilter finds the stretches that may hold a term, and only
 * these are tokenized, so few matches cost little. After `maxPerWord` matches of a word its further occurrences are ignored,
 * except those with accents, so a text full of one word costs little too. Do not modify `terms` after the call: the prefilters that
 * are built for a map are cached with it.
 */
export function findTerms(
  text: string,
  terms: TermWeights,
  lang: string,
  maxPerWord = Number.POSITIVE_INFINITY,
  maxTerms = Number.POSITIVE_INFINITY,
): FoundTerm[] {
  const { find, findInShort } = finderFor(terms, lang);
  if (text.length <= shortText && isAscii(text)) {
    const found = findInShort(text, maxPerWord, maxTerms);
    if (found) return found.sort(inReadingOrder);
  }
  const units = unitsOf(text);
  if (isPlainForm(units, text.length))
    return find({ form: text, units, mayBeMarked: false }, maxPerWord, maxTerms).sort(inReadingOrder);
  const form = normalizeForm(text);
  const matches = find({ form, units: unitsOf(form), mayBeMarked: true }, maxPerWord, maxTerms);
  if (form === text || matches.length === 0) return matches.sort(inReadingOrder);
  const { startOf, endOf } = alignNormalForm(text, form);
  return matches
    .map((token) => ({ ...token, start: startOf(token.start), end: endOf(token.end) }))
    .sort(inReadingOrder);
}

/**
 * The order of occurrences: by their starts. Of those that begin together a compound is before its parts, and a character
 * of Han, kana or hangul before the bigram.
 */
export function inReadingOrder(a: FoundTerm, b: FoundTerm): number {
  return a.start !== b.start ? a.start - b.start : inOrderOfForms(a, a.end, b, b.end);
}

/** Whether an occurrence of a list comes before another one, in the order of `inReadingOrder`. */
export function readsBefore(list: Occurrences, one: number, other: number): boolean {
  const start = list.startOf(one);
  const otherStart = list.startOf(other);
  if (start !== otherStart) return start < otherStart;
  return inOrderOfForms(list.formOf(one), list.endOf(one), list.formOf(other), list.endOf(other)) < 0;
}

/** The order of two occurrences that begin together. */
function inOrderOfForms(a: WordForm, aEnd: number, b: WordForm, bEnd: number): number {
  if (aEnd !== bEnd) return beginsWithCjk(a.term) ? aEnd - bEnd : bEnd - aEnd;
  return a.word < b.word ? -1 : a.word > b.word ? 1 : 0;
}

function beginsWithCjk(term: string): boolean {
  const kind = is.characterKinds()[term.charCodeAt(0)];
  if (kind !== is.surrogate) return kind === is.cjkCharacter;
  return is.supplementaryKind(String.fromCodePoint(term.codePointAt(0) ?? 0)) === is.cjkCharacter;
}

interface Normalized {
  /** A text in normal form. */
  readonly form: string;
  /** Its UTF-16 units, with zeros after them. */
  readonly units: Uint16Array;
  /** False where it has neither marks nor characters beyond the basic plane. */
  readonly mayBeMarked: boolean;
}

interface Finder {
  find(text: Normalized, maxPerWord: number, maxTerms: number): FoundTerm[];
  /** The same for a text of ASCII, without a prefilter, which takes longer to make; undefined if a limit is reached. */
  findInShort(text: string, maxPerWord: number, maxTerms: number): FoundTerm[] | undefined;
}

const unitsOf = createUnitsOf();
const noWords: ReadonlySet<string> = new Set();

const finders = new WeakMap<TermWeights, Map<string, Finder>>();

function finderFor(terms: TermWeights, lang: string): Finder {
  const byLanguage = finders.get(terms) ?? new Map<string, Finder>();
  finders.set(terms, byLanguage);
  const language = stemmedLanguage(lang);
  const finder = byLanguage.get(language) ?? createFinder(terms, language);
  byLanguage.set(language, finder);
  return finder;
}

function createFinder(terms: TermWeights, lang: string): Finder {
  const kinds = is.characterKinds();
  const prefilters = new Map<string, Prefilter | null>();
  const cache = new Map<string, readonly FoundTerm[]>();
  const mayHaveStem = stemTest(terms, lang);
  const numbers = wordNumbers(terms);

  let prefilterOfAll: Prefilter | null | undefined;
  let visitStretches: VisitStretches | undefined;

  /** The prefilter for the terms of all words except those in `without`. */
  function prefilterFor(without: ReadonlySet<string>): Prefilter | null {
    if (without.size === 0 && prefilterOfAll !== undefined) return prefilterOfAll;
    const key = [...without].sort().join(' ');
    const entry = prefilters.get(key);
    if (entry !== undefined) return entry;
    const remainingTerms = [...terms.keys()].filter(
      (term) => !without.has(term) && !without.has(stemTerm(term, lang) ?? term),
    );
    const prefilter = termPrefilter(remainingTerms, lang, { atAccents: without.size > 0 });
    prefilters.set(key, prefilter);
    if (without.size === 0) prefilterOfAll = prefilter;
    return prefilter;
  }

  function lookUp(term: string, start: number, end: number): FoundTerm | undefined {
    const own = terms.get(term);
    if (own === undefined && !mayHaveStem(term)) return undefined;
    const stem = stemTerm(term, lang);
    const shared = stem === null ? undefined : terms.get(stem);
    if (own === undefined && shared === undefined) return undefined;
    const word = stem !== null && shared !== undefined ? stem : term;
    const number = numbers.get(word) as number;
    return { term, word, number, weight: (own ?? 0) + (shared ?? 0), start, end };
  }

  function analyze(stretch: string): FoundTerm[] {
    if (simpleWord.test(stretch)) {
      const token = lookUp(stretch.toLowerCase(), 0, stretch.length);
      return token ? [token] : [];
    }
    const matches: FoundTerm[] = [];
    visitTerms(stretch, (term, start, end) => {
      const token = lookUp(term, start, end);
      if (token) matches.push(token);
    });
    return matches;
  }

  function analyzeCached(stretch: string): readonly FoundTerm[] {
    if (stretch.length > maxCachedLength) return analyze(stretch);
    const entry = cache.get(stretch);
    if (entry) return entry;
    const matches = analyze(stretch);
    if (cache.size >= maxCached) cache.clear();
    cache.set(copyString(stretch), matches);
    return matches;
  }

  function findInShort(text: string, maxPerWord: number, maxTerms: number): FoundTerm[] | undefined {
    const matches: FoundTerm[] = [];
    const counts: number[] = [];
    let isLimited = false;
    visitStretches ??= shortTextVisitor(terms.keys(), lang);
    visitStretches(text, (start, end) => {
      for (const token of analyze(text.slice(start, end))) {
        const { term, word, number, weight } = token;
        matches.push({ term, word, number, weight, start: start + token.start, end: start + token.end });
        const count = (counts[number] ?? 0) + 1;
        counts[number] = count;
        isLimited ||= count === maxPerWord || matches.length > maxTerms;
      }
    });
    return isLimited ? undefined : matches;
  }

  const find: Finder['find'] = ({ form, units, mayBeMarked }, maxPerWord, maxTerms) => {
    const { length } = form;
    const matches: FoundTerm[] = [];
    /** By the numbers of words. */
    const counts: number[] = [];
    let frequentWords = noWords;
    let prefilter = prefilterFor(noWords);
    const isBorder = mayBeMarked && hasMarks(units, length) ? isSeparator : isWordBorder;
    /** All tokens that start before this offset are in `matches`. */
    let doneUpTo = 0;

    /** Also works past the end: zeros follow the units, and zero is a separator. */
    const kindAt = (offset: number) => kinds[units[offset] as number] as number;

    function take(token: FoundTerm): void {
      matches.push(token);
      const count = (counts[token.number] ?? 0) + 1;
      counts[token.number] = count;
      if (count !== maxPerWord) return;
      frequentWords = new Set([...frequentWords, token.word]);
      prefilter = prefilterFor(frequentWords);
    }

    function add(term: string, start: number, end: number): void {
      const token = lookUp(term, start, end);
      if (token) take(token);
    }

    /** Adds a character of a Han, kana or hangul run and the bigram that it begins; false if marks follow. */
    function addCjk(offset: number): boolean {
      const isPair = kindAt(offset + 1) === is.cjkCharacter;
      if (isJoined(kindAt(offset + 1)) || (isPair && isJoined(kindAt(offset + 2)))) return false;
      add(form.charAt(offset), offset, offset + 1);
      if (isPair) add(form.slice(offset, offset + 2), offset, offset + 2);
      doneUpTo = offset + 1;
      return true;
    }

    /** Adds the tokens of the stretch around an offset, up to the next borders: `tokenize` starts afresh after a border. */
    function addStretch(offset: number): void {
      let start = offset;
      while (start > 0 && !isBorder(kindAt(start - 1))) start--;
      let end = offset + 1;
      while (end < length && !isBorder(kindAt(end))) end++;
      for (const token of analyzeCached(form.slice(start, end))) {
        if (start + token.start < doneUpTo) continue;
        const { term, word, number, weight } = token;
        take({ term, word, number, weight, start: start + token.start, end: start + token.end });
      }
      doneUpTo = end;
    }

    while (prefilter !== null && matches.length < maxTerms) {
      const offset = prefilter(units, length, doneUpTo);
      if (offset < 0) break;
      if (kindAt(offset) !== is.cjkCharacter || !addCjk(offset)) addStretch(offset);
    }
    return matches.length > maxTerms ? matches.slice(0, maxTerms) : matches;
  };
  return { find, findInShort };
}

/** Whether a term may have one of the stems in `terms`. The first letter alone rules most terms out. */
function stemTest(terms: TermWeights, lang: string): (term: string) => boolean {
  const firsts = new Set<number>();
  for (const term of terms.keys()) {
    if (!term.startsWith(stemMark)) continue;
    const prefix = stemPrefix(term.slice(stemMark.length), lang);
    if (prefix === '') return () => true;
    firsts.add(prefix.charCodeAt(0));
  }
  return (term) => firsts.has(term.charCodeAt(0));
}

/** Whether a text has marks, or characters beyond the basic plane, which may be marks. */
function hasMarks(units: Uint16Array, length: number): boolean {
  const kinds = is.characterKinds();
  for (let offset = 0; offset < length; offset++) {
    if (isJoined(kinds[units[offset] as number] as number)) return true;
  }
  return false;
}

function isSeparator(kind: number): boolean {
  return kind === is.separator;
}

/** Only in texts without marks, where a run of Han, kana or hangul is tokenized by itself, as is the text around it. */
function isWordBorder(kind: number): boolean {
  return kind === is.separator || kind === is.cjkCharacter;
}

/** Whether a unit may belong to the character before it. */
function isJoined(kind: number): boolean {
  return kind === is.mark || kind === is.surrogate;
}
