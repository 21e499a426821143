import { stemmer as arabic } from '@orama/stemmers/arabic';
import { stemmer as danish } from '@orama/stemmers/danish';
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as finnish } from '@orama/stemmers/finnish';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as hungarian } from '@orama/stemmers/hungarian';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as norwegian } from '@orama/stemmers/norwegian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as romanian } from '@orama/stemmers/romanian';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stemmer as swedish } from '@orama/stemmers/swedish';
import { stemmer as turkish } from '@orama/stemmers/turkish';
import { copyString } from './copy-string.ts';
import { englishStem } from './english-stem.ts';

/** Porter for English, Snowball for the others, by ISO 639-1. */
const stemmers: Readonly<Record<string, (word: string) => string>> = {
  ar: arabic,
  da: danish,
  de: german,
  en: englishStem,
  es: spanish,
  fi: finnish,
  fr: french,
  hu: hungarian,
  it: italian,
  nl: dutch,
  no: norwegian,
  pt: portuguese,
  ro: romanian,
  ru: russian,
  sv: swedish,
  tr: turkish,
};

/** Prefix of stem terms, so that no word of a page is ever taken for a stem. */
export const stemMark = '~';

/** Words of letters only: no identifiers, no numbers, and long enough to have an ending. */
const latinWord = /^\p{Script=Latin}{3,40}$/u;
/** Languages whose stemmers work on other letters. */
const ownLetters: Readonly<Record<string, RegExp>> = {
  ar: /^\p{Script=Arabic}{3,40}$/u,
  ru: /^\p{Script=Cyrillic}{3,40}$/u,
};
/** No stemmer works on letters from this code on (hangul, kana, Han). */
const firstUnread = 0x1100;

const maxCachedStems = 50_000;
const caches = new Map<string, Map<string, string | null>>();

/** `stemOf`, cached. */
export function stemTerm(term: string, lang: string): string | null {
  if (term.charCodeAt(0) >= firstUnread) return null;
  const language = stemmedLanguage(lang);
  const cache = caches.get(language) ?? new Map<string, string | null>();
  caches.set(language, cache);
  const cachedStem = cache.get(term);
  if (cachedStem !== undefined) return cachedStem;
  const stem = stemOf(term, language);
  if (cache.size >= maxCachedStems) cache.clear();
  cache.set(copyString(term), stem);
  return stem;
}

/**
 * The index term that all forms of a word share, for a word as `indexTerms` returns it; null if it has no other forms.
 * Words in Latin letters are stemmed as English on pages in a language without a stemmer for them, such as Chinese or
 * Russian.
 */
export function stemOf(term: string, lang: string): string | null {
  if (term.charCodeAt(0) >= firstUnread) return null;
  const stemmer = stemmerFor(term, stemmedLanguage(lang));
  return stemmer ? stemMark + stemmer(term) : null;
}

/** The language by which pages in `lang` are stemmed. Pages with the same one have the same stems for the same words. */
export function stemmedLanguage(lang: string): string {
  return Object.hasOwn(stemmers, lang) ? lang : 'en';
}

function stemmerFor(term: string, language: string): ((word: string) => string) | undefined {
  const own = ownLetters[language];
  if (own?.test(term)) return stemmers[language];
  return latinWord.test(term) ? stemmers[own ? 'en' : language] : undefined;
}
