import { stopwords as danish } from '@orama/stopwords/danish';
import { stopwords as dutch } from '@orama/stopwords/dutch';
import { stopwords as english } from '@orama/stopwords/english';
import { stopwords as finnish } from '@orama/stopwords/finnish';
import { stopwords as french } from '@orama/stopwords/french';
import { stopwords as german } from '@orama/stopwords/german';
import { stopwords as italian } from '@orama/stopwords/italian';
import { stopwords as japanese } from '@orama/stopwords/japanese';
import { stopwords as chinese } from '@orama/stopwords/mandarin';
import { stopwords as norwegian } from '@orama/stopwords/norwegian';
import { stopwords as portuguese } from '@orama/stopwords/portuguese';
import { stopwords as russian } from '@orama/stopwords/russian';
import { stopwords as spanish } from '@orama/stopwords/spanish';
import { stopwords as swedish } from '@orama/stopwords/swedish';
import { stopwords as turkish } from '@orama/stopwords/turkish';
import { foldWord, normalizeForm } from './fold.ts';

/** The lists of @orama/stopwords, and what they lack of the words that questions are made of. */
const lists: Readonly<Record<string, readonly string[]>> = {
  da: danish,
  de: german,
  en: [...english, 'a'],
  es: spanish,
  fi: finnish,
  fr: french,
  it: italian,
  ja: [
    ...japanese,
    ...'は が を に へ と で の も や か な だ から まで より など とは って 何 誰 いつ どこ なぜ'.split(' '),
  ],
  ko: '은 는 이 가 을 를 의 에 에서 로 으로 와 과 도 무엇 어떻게 왜 언제 어디'.split(' '),
  nl: dutch,
  no: norwegian,
  pt: portuguese,
  ru: russian,
  sv: swedish,
  tr: turkish,
  zh: [...chinese, ...'吗 呢 吧 请问 有没有 是不是 怎样 为何 多少 哪里 是否 可否'.split(' ')],
};

const functionWords: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(lists).map(([lang, words]) => [
    lang,
    new Set(words.map((word) => foldWord(normalizeForm(word)))),
  ]),
);

/** Languages whose words are written in Latin letters, English first: it wins where others have as many. */
const latin = ['en', ...Object.keys(lists).filter((lang) => !['en', 'ja', 'ko', 'zh', 'ru'].includes(lang))];

/**
 * The language that a query seems to be in, for its stems and its function words: by script, for Latin letters the
 * one whose function words are most of it. English when nothing speaks for another.
 */
export function guessLanguage(words: readonly string[]): string {
  const text = words.join('');
  if (/\p{Script=Cyrillic}/u.test(text)) return 'ru';
  if (/\p{Script=Arabic}/u.test(text)) return 'ar';
  const count = (lang: string): number => words.filter((word) => functionWords.get(lang)?.has(word)).length;
  return latin.reduce((best, lang) => (count(lang) > count(best) ? lang : best));
}

/**
 * Whether a word as `indexTerms` gives it is one of a language's function words, such as articles. A word in Han,
 * kana or hangul is looked up in the languages of its script, whatever the language around it.
 */
export function isFunctionWord(word: string, lang: string): boolean {
  return languagesOf(word, lang).some((language) => functionWords.get(language)?.has(word));
}

function languagesOf(word: string, lang: string): readonly string[] {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(word)) return ['ja'];
  if (/\p{Script=Han}/u.test(word)) return ['zh', 'ja'];
  return /\p{Script=Hangul}/u.test(word) ? ['ko'] : [lang];
}
