import { basicPlane } from '../characters.ts';

/** Scripts that are used by one language almost exclusively, with its ISO 639-1 code. */
const languageOfScript: readonly (readonly [script: string, lang: string])[] = [
  ['Thai', 'th'],
  ['Lao', 'lo'],
  ['Khmer', 'km'],
  ['Myanmar', 'my'],
  ['Greek', 'el'],
  ['Hebrew', 'he'],
  ['Georgian', 'ka'],
  ['Armenian', 'hy'],
  ['Bengali', 'bn'],
  ['Gujarati', 'gu'],
  ['Gurmukhi', 'pa'],
  ['Kannada', 'kn'],
  ['Malayalam', 'ml'],
  ['Oriya', 'or'],
  ['Sinhala', 'si'],
  ['Tamil', 'ta'],
  ['Telugu', 'te'],
  ['Ethiopic', 'am'],
  ['Tibetan', 'bo'],
];

/** Scripts that many languages share, with the languages that a declaration may name for them. */
const sharedScripts = {
  Latin: undefined,
  Cyrillic: new Set('be bg ce cv kk ky mk mn os ru sr tg tt uk uz'.split(' ')),
  Arabic: new Set('ar az ckb fa ks ku ms pa ps sd ug ur'.split(' ')),
  Devanagari: new Set('hi mr ne sa ks sd'.split(' ')),
} as const;

export type SharedScript = keyof typeof sharedScripts;

/**
 * Either the language, or a script that several languages share. A language is not certain if the text may be a Japanese
 * title in Han only.
 */
export type ScriptVerdict =
  | { readonly lang: string; readonly certain: boolean }
  | { readonly script: SharedScript }
  | undefined;

/** One Han, kana or hangul character carries about as much text as this many letters of an alphabet. */
const cjkWeight = 3;
/** Minimum ratio of kana to Han in Japanese. Kana quoted in Chinese texts stays below it. */
const kanaPerHan = 1 / 8;
/** A Japanese text with more Han characters also has kana. */
const maxHanTitleLength = 20;

const scripts: readonly string[] = [
  'Han',
  'Hangul',
  'Hiragana',
  'Katakana',
  ...languageOfScript.map(([script]) => script),
  ...Object.keys(sharedScripts),
];

/** By UTF-16 unit: the index of its script in `scripts` plus one, or 0. */
function buildScriptTable(): Uint8Array {
  const table = new Uint8Array(0x10000);
  const plane = basicPlane();
  for (const [scriptIndex, script] of scripts.entries()) {
    for (const { 0: run, index } of plane.matchAll(new RegExp(`\\p{Script=${script}}+`, 'gu'))) {
      table.fill(scriptIndex + 1, index, index + run.length);
    }
  }
  return table.fill(scripts.indexOf('Han') + 1, 0xd840, 0xd88e);
}

let table: Uint8Array | undefined;

/** How many characters of each script a text has. Han beyond the basic plane is counted by its high surrogate. */
function countScripts(text: string): Map<string, number> {
  table ??= buildScriptTable();
  const counts = new Uint32Array(scripts.length + 1);
  for (let offset = 0; offset < text.length; offset++) {
    const script = table[text.charCodeAt(offset)] as number;
    counts[script] = (counts[script] as number) + 1;
  }
  return new Map(scripts.map((script, index) => [script, counts[index + 1] as number]));
}

function cjkVerdict(han: number, kana: number, hangul: number): string {
  if (hangul > han + kana) return 'ko';
  return kana > 0 && kana >= han * kanaPerHan ? 'ja' : 'zh';
}

/**
 * The language or script of a text by its letters alone: those of the most frequent script, where a Chinese, Japanese or
 * Korean character counts three. Undefined if there is no letter.
 */
export function judgeScript(text: string): ScriptVerdict {
  const counts = countScripts(text);
  const count = (script: string) => counts.get(script) ?? 0;
  const han = count('Han');
  const hangul = count('Hangul');
  const kana = count('Hiragana') + count('Katakana');
  const cjk = cjkWeight * (han + hangul + kana);
  let maxCount = 0;
  let verdict: ScriptVerdict;
  for (const [script, lang] of languageOfScript) {
    if (count(script) <= maxCount) continue;
    maxCount = count(script);
    verdict = { lang, certain: true };
  }
  for (const script of Object.keys(sharedScripts) as SharedScript[]) {
    if (count(script) <= maxCount) continue;
    maxCount = count(script);
    verdict = { script };
  }
  if (cjk === 0 || cjk < maxCount) return verdict;
  const certain = kana + hangul > 0 || han > maxHanTitleLength;
  return { lang: cjkVerdict(han, kana, hangul), certain };
}

/** Whether a declared language can be written in this script. Any language without another script can be in Latin. */
export function canBeWrittenIn(lang: string, script: SharedScript): boolean {
  const languages = sharedScripts[script];
  if (languages) return languages.has(lang);
  const hasOtherScript = Object.values(sharedScripts).some((set) => set?.has(lang) && !latinToo.has(lang));
  return !hasOtherScript && !languageOfScript.some(([, own]) => own === lang) && !/^(?:zh|ja|ko)$/.test(lang);
}

/** Languages in `sharedScripts` that are also written in Latin letters. */
const latinToo = new Set('az ku ms sr uz'.split(' '));
