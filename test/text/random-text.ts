import fc from 'fast-check';
import { stemTerm } from '../../src/text/stems.ts';
import { indexTerms } from '../../src/text/terms.ts';

export const textLanguages = 'ar da de en es fi fr hu it ja ko nl no pt ro ru sv th tr und zh'.split(' ');

/** Signs of every kind to the scanner, then words that terms are not simply a part of. */
const units = [
  ..."aBiİıS1.-_:/@&',+#~ \n\tÉéßœСсйδς数据库がｶﾞ각กินဦ한कीनעל\u1112\u1161\u102e\u0301\u05b8\u064b\u3099\u200d\u00ad’‐，。：¨…Ⅷ①٣\u2028",
  ...['𠮷', '𐐀', '👍', '🇫', '☕', '\ud800', '\u{1d11e}', 'e\u0301', '＜\u0338'],
];
const words = `run running Runs runner's useEffect getHTTPResponse C++ C++17x C# .NET fs.readFile U.S.A. don't
  O’Reilly O'Sullivan o'sullivan l'homme L'HOMME jusqu'ici rock'n'roll 1,000 1,234.5 3.12.1 v1.2 12Factor IPv6 state-of-the-art __init__
  Straße STRASSE Œuvre résumé naïve İstanbul ısı Ёлка елки мой С.С.С.Р. οδός ΟΔΟΣ الكتاب كِتَاب שָׁלוֹם हिन्दी ภาษาไทย
  数据库优化 データベース か゚き きか きか゚ 데이터베이스 𠮷野家 ${'x'.repeat(70)} ${'Ab'.repeat(70)} ${'Abc'.repeat(50)} ဦး ဥ\u200dီး user's++ happy happily sensibilities
  Datenbanken Häuser l’eau application kitapları erkeginkinde вечера времени`.split(/\s+/);

const part = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...units) },
  { weight: 3, arbitrary: fc.constantFrom(...words) },
  { weight: 2, arbitrary: fc.constantFrom(' ', '\n', '. ', ', ', '。') },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
);
/** Texts in any script, with all that the tokenizer has rules for. */
export const randomText = fc.array(part, { maxLength: 40 }).map((parts) => parts.join(''));

/** Terms that stand in the text, stems of some, and some that may not. */
export function chooseTerms(text: string, lang: string, choices: readonly number[]): Map<string, number> {
  const terms = [...indexTerms(text), ...words.flatMap(indexTerms)];
  const chosen = new Map<string, number>();
  for (const choice of choices) {
    const term = terms[choice % terms.length] as string;
    const stem = stemTerm(term, lang);
    if (choice % 3 !== 0) chosen.set(term, choice % 7);
    if (choice % 3 !== 1 && stem !== null) chosen.set(stem, 0.5);
  }
  return chosen;
}
