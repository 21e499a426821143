import { basicPlane } from '../characters.ts';

/** Scripts that one language uses nearly alone, with its ISO 639-1 code. */
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
 * Either the language (not certain where a Japanese title may be all Han), or the script whose languages only
 * their words tell apart.
 */
export type ScriptVerdict =
  | { readonly lang: string; readonly certain: boolean }
  | { readonly script: SharedScript }
  | undefined;

/** One Han, kana or hangul character says about as much as this many letters of an alphabet. */
const cjkWeight = 3;
/** Japanese has at least this much kana for its Han; Chinese texts quote less. */
const kanaPerHan = 1 / 8;
/** A Japanese text of more Han than this has kana too. */
const maxHanTitleLength = 20;

const scripts: readonly string[] = [
  'Han',
  'Hangul',
  'Hiragana',
  'Katakana',
  ...languageOfScript.map(([script]) => script),
  ...Object.keys(sharedScripts),
];

/** For each UTF-16 unit the index of its script in `scripts`, plus one; 0 for the rest. */
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

/** How many characters of each script a text has; Han beyond the basic plane counts by its first half. */
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
 * What the letters alone say of a text's language: the script with the most of them, a Chinese, Japanese or
 * Korean character counting three. Undefined when there is no letter.
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

/** Whether a declared language can be written in this script; Latin letters serve any that has no other. */
export function canBeWrittenIn(lang: string, script: SharedScript): boolean {
  const languages = sharedScripts[script];
  if (languages) return languages.has(lang);
  const hasOtherScript = Object.values(sharedScripts).some((set) => set?.has(lang) && !latinToo.has(lang));
  return !hasOtherScript && !languageOfScript.some(([, own]) => own === lang) && !/^(?:zh|ja|ko)$/.test(lang);
}

/** Languages of the lists above that are also written in Latin letters. */
const latinToo = new Set('az ku ms sr uz'.split(' '));
