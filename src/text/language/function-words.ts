import { foldWord, isAscii, normalizeForm } from '../fold.ts';
import { withoutKoreanParticle } from './korean-particles.ts';
import { listedLanguages, stopList } from './stop-lists.ts';

/** The weight of a function word that a page need not hold. See docs/relevance.md. */
export const functionWordWeight = 0.3;

/** A word in the form of the lists, or several with line breaks between them, which stay as they are. */
function listed(text: string): string {
  return foldWord(normalizeForm(text));
}

const lists = new Map<string, ReadonlySet<string>>();

/** Built at the first query in the language. */
function functionWordsOf(lang: string): ReadonlySet<string> {
  let list = lists.get(lang);
  if (!list) {
    const words = stopList(lang);
    list = new Set(words.length > 0 ? listed(words.join('\n')).split('\n') : []);
    if (listedLanguages.includes(lang)) lists.set(lang, list);
  }
  return list;
}

let listedIn: Map<string, string[]> | undefined;

/** The languages written in Latin letters that have a function word. */
function languagesOf(word: string): readonly string[] {
  if (!listedIn) {
    listedIn = new Map();
    for (const lang of latin) {
      for (const listedWord of functionWordsOf(lang)) {
        const langs = listedIn.get(listedWord);
        if (langs) langs.push(lang);
        else listedIn.set(listedWord, [lang]);
      }
    }
  }
  return listedIn.get(word) ?? [];
}

/** Languages whose words are written in Latin letters. */
const latin = listedLanguages.filter((lang) => !['el', 'ja', 'ko', 'ru', 'zh'].includes(lang));
const latinWord = /\p{Script=Latin}{2}/u;
const punctuation = /^[^\p{L}]+|[^\p{L}]+$/gu;
const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const hangul = /\p{Script=Hangul}/u;
/** Minimum evidence for another language than the expected one. A function word counts 1, one with accents 2. */
const minEvidence = 2;

/** A word of the query. Accents are strong evidence: `für` is German, `fur` need not be. */
interface Candidate {
  readonly key: string;
  readonly counts: 1 | 2;
}

/** How many of the words are function words of one language and not of the other. */
function evidence(candidates: readonly Candidate[], lang: string, against: string): number {
  const list = functionWordsOf(lang);
  const otherWords = functionWordsOf(against);
  return candidates.reduce(
    (sum, { key, counts }) => (list.has(key) && !otherWords.has(key) ? sum + counts : sum),
    0,
  );
}

function languageOfScript(text: string): string | undefined {
  if (isAscii(text)) return undefined;
  if (/\p{Script=Cyrillic}/u.test(text)) return 'ru';
  if (/\p{Script=Arabic}/u.test(text)) return 'ar';
  return /\p{Script=Greek}/u.test(text) ? 'el' : undefined;
}

/**
 * The likely language of a query. Cyrillic, Arabic and Greek letters decide alone. For Latin letters it is `expected`, or
 * English if that has no Latin letters, unless there is evidence for another language: two function words that
 * `expected` lacks, or one with an accent. Single letters do not count.
 */
export function guessLanguage(words: readonly string[], expected = 'en'): string {
  const ownScript = languageOfScript(words.join(''));
  if (ownScript !== undefined) return ownScript;
  const candidates = words
    .filter((word) => latinWord.test(word))
    .map((word) => word.replace(punctuation, ''))
    .map((word): Candidate => ({ key: listed(word), counts: isAscii(word) ? 1 : 2 }));
  const usual = latin.includes(expected) ? expected : 'en';
  const isForeign = (langs: readonly string[]) => langs.length > 0 && !langs.includes(usual);
  if (!candidates.some(({ key }) => isForeign(languagesOf(key)))) return usual;
  let best = usual;
  let maxEvidence = minEvidence - 1;
  for (const lang of latin) {
    const evidenceFound = evidence(candidates, lang, usual);
    if (evidenceFound <= maxEvidence || evidenceFound <= evidence(candidates, usual, lang)) continue;
    best = lang;
    maxEvidence = evidenceFound;
  }
  return best;
}

/**
 * Whether a word is one of a language's function words, such as articles; case and accents do not count. A word in
 * Han, kana or hangul is looked up in the lists of all three, whatever the language around it.
 */
export function isFunctionWord(word: string, lang: string): boolean {
  return cjk.test(word) ? isCjkFunctionWord(normalizeForm(word)) : functionWordsOf(lang).has(listed(word));
}

/** The same for a word of Han, kana or hangul that is in `normalizeForm`. */
export function isCjkFunctionWord(word: string): boolean {
  if (cjkFunctionWords().has(word)) return true;
  if (word.length < 2) return false;
  return hangul.test(word) ? cjkFunctionWords().has(withoutKoreanParticle(word)) : isChineseCompound(word);
}

let cjkWords: ReadonlySet<string> | undefined;

function cjkFunctionWords(): ReadonlySet<string> {
  cjkWords ??= new Set(['zh', 'ja', 'ko'].flatMap(stopList).map(normalizeForm));
  return cjkWords;
}

/** `哪一`, `几个`, `这种`: an interrogative or demonstrative with a measure word. */
const counted = /^[哪几这那]一?[个位种家年次部本条座所场项届些样里]?$/u;
/** Compounds of function words hold one of these (`我的`, `谁在`). Without one it may be a content word (`自由`, `会所`). */
const core = /[的是谁哪我你他她它了吗呢]|什么|怎么/u;
const maxCompoundWords = 6;

/** Whether a word that the segmenter keeps together consists of listed words only. */
function isChineseCompound(word: string): boolean {
  if (counted.test(word)) return true;
  return word.length <= maxCompoundWords && core.test(word) && isCutIntoListed(word);
}

function isCutIntoListed(word: string): boolean {
  if (word === '') return true;
  for (let length = word.length; length > 0; length--) {
    if (cjkFunctionWords().has(word.slice(0, length)) && isCutIntoListed(word.slice(length))) return true;
  }
  return false;
}
