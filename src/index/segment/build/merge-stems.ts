import { stemTerm } from '../../../text/stems.ts';
import { bucketsOf } from '../dictionary/compact-terms.ts';
import { type Dictionary, findTerm, noTerm, plainDictionary } from '../dictionary/dictionary.ts';
import { endOf } from '../dictionary/ranges.ts';
import type { PlainTerms } from '../format.ts';
import { decodeTerm } from '../term-bytes.ts';
import type { PlainPages } from './pack-lists.ts';
import { type RenumberedSource, removedPage } from './renumber.ts';

interface StemMerge {
  readonly sources: readonly RenumberedSource[];
  /** For each source: the new numbers of its terms. */
  readonly termNumbers: readonly Uint32Array[];
  readonly terms: Omit<PlainTerms, 'termBuckets' | 'termStems'>;
  readonly postings: PlainPages;
  /** The languages of the pages by their new numbers. */
  readonly langs: readonly string[];
}

/** While merging: no source had the term yet. */
const unseen = 0xffff_fffe;
/** While merging: the pages that prevented a common stem may have been removed. */
const unsure = 0xffff_fffd;

/** The `termStems` of merged segments: the stem that a term has on all living pages, if it is the same on all. */
export function mergeStems({ sources, termNumbers, terms, postings, langs }: StemMerge): Uint32Array {
  const stems = new Uint32Array(terms.termHashes.length).fill(unseen);
  for (const [sourceIndex, source] of sources.entries()) {
    const { segment, losesPages } = source;
    const numbers = termNumbers[sourceIndex] as Uint32Array;
    for (let old = 0; old < segment.dictionary.termCount; old++) {
      const term = numbers[old] as number;
      if (term === noTerm || (losesPages && !hasLivingPage(source, old))) continue;
      const oldStem = segment.dictionary.stemOf(old);
      const stem = oldStem !== noTerm ? (numbers[oldStem] as number) : losesPages ? unsure : noTerm;
      stems[term] = agreed(stems[term] as number, stem);
    }
  }
  const termBuckets = bucketsOf(terms.termHashes);
  const dictionary = plainDictionary({ ...terms, termBuckets, termStems: stems });
  for (let term = 0; term < stems.length; term++) {
    if (stems[term] === unsure) stems[term] = commonStem(term, dictionary, postings, langs);
  }
  return stems;
}

function hasLivingPage({ segment, pageNumbers }: RenumberedSource, term: number): boolean {
  const { pages, start, end } = segment.lists.whole({ term, inTitle: false });
  for (let index = start; index < end; index++) {
    if ((pageNumbers[pages[index] as number] as number) !== removedPage) return true;
  }
  return false;
}

function agreed(one: number, other: number): number {
  if (one === unseen || one === other) return other;
  return one === noTerm || other === noTerm || (one !== unsure && other !== unsure) ? noTerm : unsure;
}

/** The stem of a term in all languages of the pages in its list; `noTerm` if they differ. */
function commonStem(
  term: number,
  dictionary: Dictionary,
  { pages }: PlainPages,
  langs: readonly string[],
): number {
  const { termText, texts, postings } = dictionary;
  const text = decodeTerm(termText, texts.start(term), endOf(texts, term));
  const checkedLangs = new Set<string>();
  let common: string | undefined;
  const end = endOf(postings, term);
  for (let index = postings.start(term); index < end; index++) {
    const lang = langs[pages[index] as number] as string;
    if (checkedLangs.has(lang)) continue;
    checkedLangs.add(lang);
    const stem = stemTerm(text, lang);
    if (stem === null || (common !== undefined && stem !== common)) return noTerm;
    common = stem;
  }
  const number = common === undefined ? -1 : findTerm(dictionary, common);
  return number < 0 ? noTerm : number;
}
