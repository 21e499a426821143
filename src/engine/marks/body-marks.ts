import type { OccurrenceLimits, PageMarks } from '../../index/page-marks.ts';
import type { PageBeginning } from '../../store/page/beginnings.ts';
import {
  chooseOccurrences,
  type GroupedOccurrences,
  groupByWord,
} from '../../text/occurrences/choose-occurrences.ts';
import { findTerms, type TermWeights } from '../../text/occurrences/find-terms.ts';
import type { Occurrences } from '../../text/occurrences/occurrences.ts';
import { addressOf } from '../../text/page-address.ts';
import { likenessOf } from '../../text/passages/likeness.ts';
import { nameLineEndingIn } from '../../text/passages/name-line.ts';
import { createSentenceTable, type SentenceTable } from '../../text/passages/sentence-table.ts';
import { createSearchBudget, type SearchBudget } from '../search-budget.ts';

export interface BodyMarksOptions {
  /** The budget of the search, from which scanning and reading the body spend; without one, nothing limits them. */
  readonly budget?: SearchBudget;
  /** Reads the whole body, if the page has only its beginning; undefined if the page is not stored any more. */
  readonly wholeBody?: (() => string | undefined) | undefined;
  /** A body is scanned in stretches of this length, up to the first one with an occurrence. In UTF-16 units. */
  readonly stretchLength?: number;
}

interface FoundWords {
  readonly grouped: GroupedOccurrences;
  /** Whether no limit was reached, so that these are all occurrences. */
  readonly isComplete: boolean;
}

/** A better sentence, and a better score, are unlikely beyond this. */
const defaultStretchLength = 40_000;

const noLimits = {
  readCharacters: Number.POSITIVE_INFINITY,
  scannedCharacters: Number.POSITIVE_INFINITY,
  matches: Number.POSITIVE_INFINITY,
};

/**
 * The marks of a page from its text: for pages of which the index keeps none. Occurrences in the body are those in the
 * first stretch that has any, as far as the limits allow.
 */
export function createBodyMarks(
  { page, bodyLength, ending }: PageBeginning,
  {
    budget = createSearchBudget(noLimits),
    wholeBody,
    stretchLength = defaultStretchLength,
  }: BodyMarksOptions = {},
): PageMarks {
  const { url, title, siteName, lang, publishedAt, crawledAt, linkShare, headings } = page;
  let { body } = page;
  let sentences: SentenceTable | undefined;
  let likeness: string | undefined;
  /** All occurrences of some terms in the body. */
  let complete: { readonly terms: TermWeights; readonly grouped: GroupedOccurrences } | undefined;

  function* stretches({ scanned, read }: OccurrenceLimits) {
    let remaining = Math.min(scanned, budget.remaining('scannedCharacters'));
    for (let start = 0; start < bodyLength && remaining > 0; start += stretchLength) {
      const length = Math.min(stretchLength, remaining);
      // Of a body that is cut, the rest of the last stretch is in the whole body.
      if (start + length > body.length && body.length < bodyLength && !readWhole(read)) return;
      const stretch = body.slice(start, start + length);
      budget.spend('scannedCharacters', stretch.length);
      remaining -= stretch.length;
      yield { start, stretch };
    }
  }

  /** False if the rest of the body may not be read. */
  function readWhole(maxLength: number): boolean {
    if (bodyLength > maxLength) return false;
    const whole = wholeBody?.();
    if (whole === undefined) return false;
    budget.spend('readCharacters', bodyLength);
    body = whole;
    sentences = undefined;
    return true;
  }

  /** The occurrences of each word in a text that are looked at, to choose from. */
  function findIn(text: string, terms: TermWeights, limits: OccurrenceLimits): FoundWords {
    const looked = widened(limits);
    const found = findTerms(text, terms, lang, looked.perWord, looked.terms);
    const grouped = groupByWord(found);
    const isComplete =
      found.length < looked.terms && grouped.words.every(({ from, to }) => to - from < looked.perWord);
    return { grouped, isComplete };
  }

  function occurrencesInBody(terms: TermWeights, limits: OccurrenceLimits, into: Occurrences): void {
    into.clear();
    if (complete?.terms === terms) {
      chooseOccurrences(complete.grouped, limits, into);
      return;
    }
    for (const { start, stretch } of stretches(limits)) {
      const { grouped, isComplete } = findIn(stretch, terms, limits);
      if (stretch.length === bodyLength && isComplete) complete = { terms, grouped };
      if (grouped.words.length === 0) continue;
      chooseOccurrences(grouped, limits, into);
      moveBy(into, start);
      return;
    }
  }

  return {
    ...{ url, title, siteName, lang, publishedAt, crawledAt, linkShare, bodyLength },
    get likeness() {
      likeness ??= likenessOf(title, body, ending);
      return likeness;
    },
    get address() {
      return addressOf(url);
    },
    mayHoldInTitle: () => true,
    occurrences(field, terms, limits, into) {
      if (field === 'body') occurrencesInBody(terms, limits, into);
      else chooseOccurrences(findIn(headings.slice(0, limits.scanned), terms, limits).grouped, limits, into);
    },
    text: (field, start, end) => (field === 'body' ? body : headings).slice(start, end),
    get sentences() {
      sentences ??= createSentenceTable({ title, headings, body });
      return sentences;
    },
    nameLineEndingAt: (end) => nameLineEndingIn(body, end),
  };
}

/** The wanted occurrences are chosen from this many times as many. An index keeps as many of each word. */
const choiceFactor = 8;

function widened({ perWord, terms }: OccurrenceLimits): Pick<OccurrenceLimits, 'perWord' | 'terms'> {
  return { perWord: choiceFactor * perWord, terms: choiceFactor * terms };
}

function moveBy({ starts, ends, length }: Occurrences, by: number): void {
  for (let index = 0; index < length; index++) {
    starts[index] = (starts[index] as number) + by;
    ends[index] = (ends[index] as number) + by;
  }
}
