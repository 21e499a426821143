import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indexTerms, locateTerms, queryWords } from '../../src/text/terms.ts';

const required = (text: string, quoted = false) =>
  queryWords(text, { quoted, lang: 'en' })
    .filter(({ required }) => required)
    .map(({ term }) => term);
const optional = (text: string) =>
  queryWords(text, { quoted: false, lang: 'en' })
    .filter(({ required }) => !required)
    .map(({ term }) => term);
/** Whether a page with this text holds all that the query's text requires. */
function finds(query: string, page: string, quoted = false): boolean {
  const terms = new Set(indexTerms(page));
  return required(query, quoted).every((term) => terms.has(term));
}

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc
    .array(
      fc.constantFrom(...("aB1.-_:/@&',+#Éß数が각กिﾞ\u0301ｶ𠮷👍🇫（， \u00ad\u200d\ud800".match(/./gsu) ?? [])),
      {
        maxLength: 30,
      },
    )
    .map((characters) => characters.join('')),
);

describe('words of a page', () => {
  it.each([
    ['Plain words, lower-cased: mp3 x86', 'plain words lower-cased lower cased mp3 x86'],
    ['to be, or not to be', 'to be or not to be'],
    ['useEffect', 'useeffect use effect'],
    ['await fs.readFile(x)', 'await fs.readfile fs readfile read file x'],
    ['std::vector', 'std::vector std vector'],
    ['a.b.c', 'a.b.c a.b a b.c b c'],
    ['snake_case __init__ a__b', 'snake_case snake case init a__b a b'],
    ['kebab-case well\u2011known', 'kebab-case kebab case well-known well known'],
    ['C++ C# g++; F#. C++17', 'c++ c# g++ f# c++17 c++'],
    ['notepad++ i++ a+b x#y', 'notepad++ notepad i++ a b x y'],
    ['.NET ASP.NET (.env) ...and', '.net net asp.net asp net .env env and'],
    ['v1.2.3 3.14', '1.2.3 v1.2.3 1 1.2 3.14 3'],
    ['1,000 1,2 1,234.5 2019,1000', '1000 1,000 1 2 1234.5 1,234.5 1234 2019 1000'],
    ['HTTPServer getHTTPResponse', 'httpserver http server gethttpresponse get http response'],
    ['APIs IPv6 iPhone GHz', 'apis ipv6 iphone ghz'],
    ["user's don't O’Reilly l'homme", 'user dont oreilly homme'],
    ['U.S.A. e.g.', 'usa u s a e.g e g'],
    ['AT&T a&b', 'at&t at t a b'],
    ['joe@example.com', 'joe@example.com joe@example joe example.com example com'],
    ['https://example.com/a', 'https example.com/a example.com example com/a com a'],
  ])('%s', (text, terms) => {
    expect(indexTerms(text)).toEqual(terms.split(' '));
  });

  it('keeps well-known names whole, so that java does not find JavaScript', () => {
    expect(indexTerms('JavaScript on GitHub')).toEqual(['javascript', 'on', 'github']);
  });

  it.each([
    ['Crème Brûlée ÅNGSTRÖM', 'creme brulee angstrom'],
    ['Straße Łódź Øre Þór', 'strasse lodz ore thor'],
    ['İstanbul ısı', 'istanbul isi'],
    ['ΟΔΟΣ οδός', 'οδοσ οδοσ'],
    ['Ёлка мой', 'елка мой'],
    ['Ｆｕｌｌ ﬁne x²', 'full fine x2'],
    ['co\u00adoperate a\u200bb', 'cooperate a b'],
    ['e\u0301te\u0301', 'ete'],
  ])('folds %s', (text, terms) => {
    expect(indexTerms(text)).toEqual(terms.split(' '));
  });

  it.each([
    ['kana keeps its voicing', 'が', 'か'],
    ['hangul keeps its syllables', '각', '가'],
    ['Thai keeps its vowels', 'กิน', 'กน'],
    ['Devanagari keeps its vowels', 'की', 'क'],
    ['й is not и', 'мой', 'мои'],
  ])('%s', (_, one, other) => {
    expect(indexTerms(one)).not.toEqual(indexTerms(other));
  });
  it('takes Arabic and Hebrew without their vowel points', () => {
    expect(indexTerms('كِتَاب')).toEqual(indexTerms('كتاب'));
    expect(indexTerms('שָׁלוֹם')).toEqual(indexTerms('שלום'));
  });
  it('takes half-width kana and conjoining jamo as what they compose to', () => {
    expect(indexTerms('ｶﾞｷﾞ')).toEqual(['ガ', 'ガギ', 'ギ']);
    expect(indexTerms('\u1112\u1161\u11ab')).toEqual(['한']);
  });

  it('gives a run of Han both as characters and as overlapping pairs', () => {
    expect(indexTerms('数据库 T恤')).toEqual(['数', '数据', '据', '据库', '库', 't', '恤']);
  });
  it('neither loses nor splits characters beyond the basic plane', () => {
    expect(indexTerms('𠮷野')).toEqual(['𠮷', '𠮷野', '野']);
    expect(indexTerms('👍🏽 ok 🇫🇷🇩🇪')).toEqual(['👍', 'ok', '🇫🇷', '🇩🇪']);
    expect(indexTerms('𐐀𐐁')).toEqual(['𐐨𐐩']);
    expect(indexTerms('\ud842 a \udfb7')).toEqual(['a']);
  });
  it('cuts Thai, Lao, Khmer and Burmese into words', () => {
    expect(indexTerms('ภาษาไทย')).toEqual(['ภาษา', 'ไทย']);
    expect(indexTerms('ភាសាខ្មែរជាភាសា').length).toBeGreaterThan(1);
  });

  it('bounds the length of a term and of the work on one word', () => {
    const long = 'x'.repeat(100_000);
    expect(indexTerms(long)).toEqual(['x'.repeat(64)]);
    expect(finds(long, `see ${long}`)).toBe(true);
    const path = 'abcdefg/'.repeat(1000);
    expect(Math.max(...indexTerms(path).map(({ length }) => length))).toBeLessThanOrEqual(64);
    expect(finds(path, path)).toBe(true);
  });
});

describe('words of a query', () => {
  it('requires the pieces of a compound, and prefers pages that write it so', () => {
    expect(required('asyncio.TaskGroup')).toEqual(['asyncio', 'taskgroup']);
    expect(optional('asyncio.TaskGroup')).toEqual(['asyncio.taskgroup']);
    expect(finds('asyncio.TaskGroup', 'use TaskGroup from asyncio')).toBe(true);
  });
  it('requires a compound itself in quotes, also where it stands inside a longer one', () => {
    expect(finds('asyncio.TaskGroup', 'use TaskGroup from asyncio', true)).toBe(false);
    expect(finds('asyncio.TaskGroup', 'self.asyncio.TaskGroup.start()', true)).toBe(true);
    expect(finds('a.b.c', 'x.a.b.c.d', true)).toBe(true);
    expect(finds('a.b.c', 'a.b and b.d.c', true)).toBe(false);
  });
  it.each(['useEffect', 'C++', 'C#', '.NET', 'C++17'])('requires %s as the one word that it is', (word) => {
    expect(required(word)).toEqual([word.toLowerCase()]);
  });
  it.each([
    ['useeffect', 'useEffect(() => {})'],
    ['useEffect', 'the useeffect hook'],
    ['task group', 'asyncio.TaskGroup'],
    ['1000', '1,000 people'],
    ['1,000', '1000 people'],
    ['3.12', 'Python 3.12.1'],
    ['v3.12', 'Python 3.12'],
    ['1.2.3', 'release v1.2.3'],
    ['USA', 'the U.S.A.'],
    ['u.s.', 'the U.S. dollar'],
    ['cafe', 'Café'],
    ['naïve', 'naive'],
    ['dont', 'I don’t know'],
    ['example.com', 'mail joe@example.com'],
    ['state of the art', 'state-of-the-art'],
    ['https://example.com/', 'see example.com'],
  ])('%s finds %s', (query, page) => {
    expect(finds(query, page)).toBe(true);
  });
  it.each([
    'useEffect',
    'fs.readFile',
    'std::vector',
    'C++',
    'C#',
    '.NET',
    'ASP.NET',
    'C++17',
    'v1.2.3',
    '3.12',
    'snake_case',
    '__init__',
    'kebab-case',
    '@types/node',
    'docs/index.md',
    '1,234,567',
    '3.14',
    'joe.doe+news@mail.example.com',
    'https://example.com/docs/a-b?x=1#top',
    'www.example.com',
    'AT&T',
    "O'Reilly",
    'Ångström',
    'Straße',
    'Ёлка',
    'ｆｕｌｌ　ｗｉｄｔｈ',
    '数据库',
    '第3章',
    'データベース',
    'ﾃﾞｰﾀﾍﾞｰｽ',
    'ひらがな',
    '데이터베이스',
    '\u1112\u1161\u11ab국',
    'ภาษาไทย',
    'ภาษา',
    'ພາສາລາວ',
    '𠮷野家',
    '𝕊𝕔𝕣𝕚𝕡𝕥',
    '👍🏽',
    'عربي',
    'हिन्दी',
  ])('both sides meet on %s, quoted or not, in a sentence of any script', (word) => {
    for (const quoted of [false, true]) {
      expect(required(word, quoted)).not.toEqual([]);
      expect(finds(word, `See ${word}, please.`, quoted)).toBe(true);
      expect(finds(word, `请看“${word}”。`, quoted)).toBe(true);
      expect(finds(word, 'something else entirely 完全不同的东西', quoted)).toBe(false);
    }
  });
  it.each([
    ['読む', '本を読む人'],
    ['データ', 'データベース'],
    ['ﾃﾞｰﾀ', 'データベース'],
    ['데이터', '데이터베이스를'],
    ['파이썬을', '파이썬 설치'],
    ['ไทย', 'ภาษาไทย'],
    ['𠮷', '𠮷野家'],
    ['types node', '@types/node'],
    ['mail.example.com', 'joe.doe+news@mail.example.com'],
    ['example.com/docs', 'https://example.com/docs/a-b?x=1'],
    ['1234567', '1,234,567'],
    ['python3.12', 'Python3.12'],
    ['nodejs', 'NodeJS'],
    ['read file', 'fs.readFile'],
    ['case', 'snake_case'],
    ['vector', 'std::vector<int>'],
  ])('%s finds %s', (query, page) => {
    expect(finds(query, page)).toBe(true);
  });
  it.each([
    ['C', 'C++ and C#'],
    ['java', 'JavaScript'],
    ['3.14', '3 of 14'],
    ['net', 'the internet'],
  ])('%s does not find %s', (query, page) => {
    expect(finds(query, page)).toBe(false);
  });

  it('cuts an unquoted run of Han into words and requires the pairs of each', () => {
    expect(required('搜索引擎')).toEqual(['搜索', '引擎']);
    expect(optional('搜索引擎')).toEqual(['索引']);
    expect(finds('数据库优化', '优化你的数据库')).toBe(true);
  });
  it('requires the whole chain of a quoted run', () => {
    expect(required('数据库优化', true)).toEqual(['数据', '据库', '库优', '优化']);
    expect(finds('数据库优化', '优化你的数据库', true)).toBe(false);
    expect(finds('据库优', '数据库优化', true)).toBe(true);
  });
  it('always requires something, so that no text matches every page', () => {
    expect(required('https://')).toEqual(['https']);
    fc.assert(
      fc.property(text, fc.boolean(), (given, quoted) => {
        if (indexTerms(given).length > 0) expect(required(given, quoted)).not.toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });
  it('looks for a single character as it is', () => {
    expect(required('猫')).toEqual(['猫']);
    expect(finds('猫', '我有一只猫咪')).toBe(true);
  });
});

describe('for any text', () => {
  it('a query finds a page that is the same text, quoted or not, whatever stands around it', () => {
    fc.assert(
      fc.property(text, text, fc.boolean(), (query, other, quoted) => {
        expect(finds(query, query, quoted)).toBe(true);
        expect(finds(query, `${other} ${query} ${other}`, quoted)).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });
  it('any part of a run of Han finds the page, quoted or not', () => {
    const han = fc.string({
      unit: fc.constantFrom(...'数据库优化的搜索引擎是什么𠮷'),
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(han, fc.nat(), fc.nat(), fc.boolean(), (page, from, size, quoted) => {
        const characters = [...page];
        const start = from % characters.length;
        const part = characters.slice(start, start + 1 + (size % characters.length)).join('');
        expect(finds(part, page, quoted)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
  it('the located terms are the index terms, in order, each over the text that it came from', () => {
    fc.assert(
      fc.property(text, (given) => {
        const tokens = locateTerms(given);
        expect(tokens.map(({ term }) => term)).toEqual(indexTerms(given));
        let before = 0;
        for (const { start, end } of tokens) {
          expect(start).toBeGreaterThanOrEqual(before);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(given.length);
          before = start;
        }
      }),
      { numRuns: 3000 },
    );
  });
  it('no term holds half a surrogate pair or is longer than the limit allows', () => {
    fc.assert(
      fc.property(text, (given) => {
        for (const term of indexTerms(given)) {
          expect(term).not.toMatch(/\p{Surrogate}/u);
          expect(term).not.toBe('');
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe('places', () => {
  const shown = (text: string) =>
    locateTerms(text).map(({ term, start, end }) => [term, text.slice(start, end)]);
  it('stay right where the normal form is longer or shorter than the text', () => {
    expect(shown('㍿ﬁne ｶﾞ e\u0301té end')).toEqual([
      ['株', '㍿'],
      ['株式', '㍿'],
      ['式', '㍿'],
      ['式会', '㍿'],
      ['会', '㍿'],
      ['会社', '㍿'],
      ['社', '㍿'],
      ['fine', 'ﬁne'],
      ['ガ', 'ｶﾞ'],
      ['ete', 'e\u0301té'],
      ['end', 'end'],
    ]);
  });
  it('of a part of a compound are its own', () => {
    expect(shown('use fs.readFile')).toEqual([
      ['use', 'use'],
      ['fs.readfile', 'fs.readFile'],
      ['fs', 'fs'],
      ['readfile', 'readFile'],
      ['read', 'read'],
      ['file', 'File'],
    ]);
  });
});
