import { createRequire } from 'node:module';
import { copyString } from './copy-string.ts';
import { englishStem } from './english-stem.ts';

type Stemmer = (word: string) => string;

/** The names of the library's stemmers by ISO 639-1: Snowball. English has Porter's. */
const libraryNames: Readonly<Record<string, string>> = {
  ar: 'arabic',
  da: 'danish',
  de: 'german',
  es: 'spanish',
  fi: 'finnish',
  fr: 'french',
  hu: 'hungarian',
  it: 'italian',
  nl: 'dutch',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sv: 'swedish',
  tr: 'turkish',
};

const stemmers = new Map<string, Stemmer>([['en', englishStem]]);
const require = createRequire(import.meta.url);

/** The stemmer of a language, which is loaded with the first word of it: most searches need one or two of them. */
function stemmerOf(language: string): Stemmer {
  let stemmer = stemmers.get(language);
  if (stemmer === undefined) {
    const library: { readonly stemmer: Stemmer } = require(`@orama/stemmers/${libraryNames[language]}`);
    stemmer = library.stemmer;
    stemmers.set(language, stemmer);
  }
  return stemmer;
}

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
  return Object.hasOwn(libraryNames, lang) ? lang : 'en';
}

function stemmerFor(term: string, language: string): Stemmer | undefined {
  const own = ownLetters[language];
  if (own?.test(term)) return stemmerOf(language);
  return latinWord.test(term) ? stemmerOf(own ? 'en' : language) : undefined;
}
