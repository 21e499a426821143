import * as is from './characters.ts';
import { detached } from './detached.ts';
import { isAscii, normalizeForm } from './fold.ts';
import { alignNormalForm } from './normal-form.ts';
import { stemPrefix } from './stem-prefix.ts';
import { stemMark, stemTerm } from './stems.ts';
import { type Reach, reachOf, termPattern } from './term-pattern.ts';
import { type Token, visitTerms } from './terms.ts';
import { simpleWord } from './words.ts';

/** A term of a query where it stands in a text, in UTF-16 offsets. */
export interface FoundTerm extends Token {
  /** The exact form that stands there. */
  readonly term: string;
  /** What the forms of one word share: the stem's term where that is looked for, else the form itself. */
  readonly word: string;
  /** How much the form and its stem count together. */
  readonly weight: number;
}

/** Exact terms and stem terms with how much each counts. */
export type TermWeights = ReadonlyMap<string, number>;

/** Longer stretches are not worth remembering: they hardly come twice. */
const longestRemembered = 64;
const remembered = 20_000;

/**
 * The tokens of `locateTerms(text)` whose term, or whose stem in `lang`, is among those looked for, in the same
 * order. Only stretches that a pattern for the terms has a match in are cut into terms, so a long text that holds
 * few of them costs little. A word that was found `often` times is not looked for any more, so that a text full of
 * one costs little too. What is made for a map is kept as long as the map is: do not change it.
 */
export function findTerms(
  text: string,
  terms: TermWeights,
  lang: string,
  often = Number.POSITIVE_INFINITY,
): FoundTerm[] {
  const form = isAscii(text) ? text : normalizeForm(text);
  const found = finderFor(terms, lang)(form, often);
  if (form === text || found.length === 0) return found;
  const { startOf, endOf } = alignNormalForm(text, form);
  return found.map((token) => ({ ...token, start: startOf(token.start), end: endOf(token.end) }));
}

/** Finds in texts that are in normal form. */
type Finder = (form: string, often: number) => FoundTerm[];

const finders = new WeakMap<TermWeights, Map<string, Finder>>();

function finderFor(terms: TermWeights, lang: string): Finder {
  const byLanguage = finders.get(terms) ?? new Map<string, Finder>();
  finders.set(terms, byLanguage);
  const finder = byLanguage.get(lang) ?? createFinder(terms, lang);
  byLanguage.set(lang, finder);
  return finder;
}

function createFinder(terms: TermWeights, lang: string): Finder {
  const kinds = is.characterKinds();
  const patterns = new Map<string, RegExp | null>();
  const seen = new Map<string, readonly FoundTerm[]>();
  const mayHaveStem = stemTest(terms, lang);

  /** A pattern for the terms of all words but those that were found often enough. */
  function patternFor(reach: Reach, without: ReadonlySet<string>): RegExp | null {
    const key = [reach, ...[...without].sort()].join(' ');
    const known = patterns.get(key);
    if (known !== undefined) return known;
    const wanted = [...terms.keys()].filter(
      (term) => !without.has(term) && !without.has(stemTerm(term, lang) ?? term),
    );
    const pattern = termPattern(wanted, lang, reach);
    patterns.set(key, pattern);
    return pattern;
  }

  function lookUp(term: string, start: number, end: number): FoundTerm | undefined {
    const own = terms.get(term);
    if (own === undefined && !mayHaveStem(term)) return undefined;
    const stem = stemTerm(term, lang);
    const shared = stem === null ? undefined : terms.get(stem);
    if (own === undefined && shared === undefined) return undefined;
    const word = stem !== null && shared !== undefined ? stem : term;
    return { term, word, weight: (own ?? 0) + (shared ?? 0), start, end };
  }

  function analyse(stretch: string): FoundTerm[] {
    if (simpleWord.test(stretch)) {
      const token = lookUp(stretch.toLowerCase(), 0, stretch.length);
      return token ? [token] : [];
    }
    const found: FoundTerm[] = [];
    visitTerms(stretch, (term, start, end) => {
      const token = lookUp(term, start, end);
      if (token) found.push(token);
    });
    return found;
  }

  function analyseOnce(stretch: string): readonly FoundTerm[] {
    if (stretch.length > longestRemembered) return analyse(stretch);
    const known = seen.get(stretch);
    if (known) return known;
    const found = analyse(stretch);
    if (seen.size >= remembered) seen.clear();
    seen.set(detached(stretch), found);
    return found;
  }

  return (form, often) => {
    const reach = reachOf(form);
    const found: FoundTerm[] = [];
    const counts = new Map<string, number>();
    const enough = new Set<string>();
    let pattern = patternFor(reach, enough);
    const isBorder = reach === 'any' ? isSeparator : isWordBorder;
    /** Everything that starts before this place has been found. */
    let done = 0;

    const kindAt = (place: number) =>
      place < form.length ? (kinds[form.charCodeAt(place)] as number) : is.separator;

    function take(token: FoundTerm): void {
      found.push(token);
      const count = (counts.get(token.word) ?? 0) + 1;
      counts.set(token.word, count);
      if (count !== often) return;
      enough.add(token.word);
      pattern = patternFor(reach, enough);
    }

    function add(term: string, start: number, end: number): void {
      const token = lookUp(term, start, end);
      if (token) take(token);
    }

    /** A character of a run of Han, kana or hangul and the pair that it begins; false where marks make it hard. */
    function addCjk(place: number): boolean {
      const isPair = kindAt(place + 1) === is.cjkCharacter;
      if (isJoined(kindAt(place + 1)) || (isPair && isJoined(kindAt(place + 2)))) return false;
      add(form.charAt(place), place, place + 1);
      if (isPair) add(form.slice(place, place + 2), place, place + 2);
      done = place + 1;
      return true;
    }

    /** All that stands between two characters after which `scan` begins anew, whatever is around. */
    function addStretch(place: number): void {
      let start = place;
      while (start > 0 && !isBorder(kindAt(start - 1))) start--;
      let end = place + 1;
      while (end < form.length && !isBorder(kindAt(end))) end++;
      for (const token of analyseOnce(form.slice(start, end))) {
        if (start + token.start < done) continue;
        take({ ...token, start: start + token.start, end: start + token.end });
      }
      done = end;
    }

    while (pattern !== null) {
      pattern.lastIndex = done;
      const match = pattern.exec(form);
      if (match === null) break;
      if (kindAt(match.index) !== is.cjkCharacter || !addCjk(match.index)) addStretch(match.index);
    }
    return found;
  };
}

/** Whether a term may have one of the stems that are looked for, by its first letter, which tells most that have not. */
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

function isSeparator(kind: number): boolean {
  return kind === is.separator;
}

/** Without marks around, a run of Han, kana or hangul is cut by itself, and so is what stands before and after. */
function isWordBorder(kind: number): boolean {
  return kind === is.separator || kind === is.cjkCharacter;
}

/** What may belong to the character before it, or be one itself. */
function isJoined(kind: number): boolean {
  return kind === is.mark || kind === is.surrogate;
}
