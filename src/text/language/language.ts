import { canBeWrittenIn, judgeScript, type SharedScript } from './scripts.ts';

/** Detects the language of a text: ISO 639-1, or `und`. `declared` is the page's own declaration (`<html lang>`). */
export type LanguageDetector = (text: string, declared?: string) => string;

/** Only this much of the beginning of a text is read. */
const sampleLength = 4000;
/** A smaller difference of two scores is a tie. The detector's own threshold for an unreliable answer is 0.01. */
const tie = 0.02;
/** Most web pages are in one of these. From a title alone, the detector sometimes returns a rarer related language. */
const common = 'en es de fr pt ru it nl pl tr cs uk id vi'.split(' ');
/** In a shorter text, a rare language must lead the best common one by `rareMustLeadBy`. */
const shortText = 200;
const rareMustLeadBy = 0.04;
/** With fewer letters, an answer that `eld` calls unreliable is discarded. */
const minConclusiveLength = 12;

const iso639 = /^[a-z]{2}$/;
/** Older and narrower codes, with the ISO 639-1 code of their language. */
const sameLanguage: Readonly<Record<string, string>> = {
  cmn: 'zh',
  yue: 'zh',
  iw: 'he',
  in: 'id',
  ji: 'yi',
  nb: 'no',
  nn: 'no',
};

/**
 * The part of a language tag that names the language, in lower case: `zh-CN`, `zh_Hant`, `ZH` and `zho` are `zh`. A
 * three-letter code becomes that of ISO 639-1 where there is one, as in CLDR's aliases.
 */
export function primarySubtag(tag: string): string {
  const subtag = (tag.trim().split(/[-_]/, 1)[0] ?? '').toLowerCase();
  const code = sameLanguage[subtag];
  if (code !== undefined || !/^[a-z]{3}$/.test(subtag)) return code ?? subtag;
  return Intl.getCanonicalLocales(subtag)[0] ?? subtag;
}

/** Addresses, tags and identifiers with dots: Latin letters in a page of any language. */
const noWords =
  /\b(?:https?:\/\/|www\.)\S+|[\w.+-]{1,64}@\S{1,100}|<[^>]{1,200}>|\b[A-Za-z0-9]+(?:[._][A-Za-z0-9]+)+/g;

/**
 * Loads the detector's tables (a quarter of a second, about 180 MB of memory: only for processes that read
 * pages). The detector answers with ISO 639-1, or `und` when the text has no letters or says nothing and
 * declares nothing. Script first, then `eld`; what is declared breaks ties alone, since it is often a template's.
 */
export async function loadLanguageDetector(): Promise<LanguageDetector> {
  const { eld } = await import('eld/medium');

  function byWords(text: string, script: SharedScript, declared: string): string {
    const canBeDeclared = iso639.test(declared) && canBeWrittenIn(declared, script);
    const result = eld.detect(text);
    if (result.language === '') return canBeDeclared ? declared : 'und';
    if (!canBeDeclared) {
      const letters = text.match(/\p{L}/gu)?.length ?? 0;
      if (letters < minConclusiveLength && !result.isReliable()) return 'und';
      return text.length < shortText ? likelier(result.language, result.getScores()) : result.language;
    }
    if (result.language === declared) return declared;
    const scores = result.getScores();
    const behind = (scores[result.language] ?? 0) - (scores[declared] ?? 0);
    return behind < tie || !result.isReliable() ? declared : result.language;
  }

  return (text, declared = '') => {
    const sample = text.slice(0, sampleLength).replace(noWords, ' ');
    const verdict = judgeScript(sample);
    const tag = primarySubtag(declared);
    if (verdict === undefined) return iso639.test(tag) ? tag : 'und';
    if ('script' in verdict) return byWords(sample, verdict.script, tag);
    return !verdict.certain && tag === 'ja' ? tag : verdict.lang;
  };
}

/** The best of the common languages if a rare one hardly leads it, else the language itself. */
function likelier(language: string, scores: Readonly<Record<string, number>>): string {
  if (common.includes(language)) return language;
  let best = language;
  let bestScore = (scores[language] ?? 0) - rareMustLeadBy;
  for (const candidate of common) {
    const score = scores[candidate] ?? 0;
    if (score <= bestScore) continue;
    best = candidate;
    bestScore = score;
  }
  return best;
}
