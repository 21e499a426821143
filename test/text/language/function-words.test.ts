import { describe, expect, it } from 'vitest';
import { guessLanguage, isFunctionWord } from '../../../src/text/language/function-words.ts';
import { withoutKoreanParticle } from '../../../src/text/language/korean-particles.ts';
import { listedLanguages, stopList } from '../../../src/text/language/stop-lists.ts';
import { indexTerms } from '../../../src/text/terms.ts';

const guess = (text: string, expected?: string) => guessLanguage(text.split(' '), expected);

describe('the language of a query', () => {
  it.each([
    ['how do I install the package', 'en'],
    ['was ist der Unterschied', 'de'],
    ['¿Cómo instalar Python?', 'es'],
    ['pourquoi le ciel est bleu', 'fr'],
    ['museum für kunst', 'de'],
    ['как это работает', 'ru'],
    ['كيف أتعلم', 'ar'],
    ['πώς λειτουργεί', 'el'],
  ])('%s: %s', (text, lang) => {
    expect(guess(text)).toBe(lang);
  });
  it.each([
    '',
    'python',
    'c',
    'd l s t',
    'die hard',
    'la liga',
    'Häuser kaufen',
    'sin city',
    '数据库 优化',
    '123 !?',
  ])('is English where nothing speaks for another: %j', (text) => {
    expect(guess(text)).toBe('en');
  });
  it('is the expected one until another is plainer, where it has Latin letters', () => {
    expect(guess('wetter in berlin', 'de')).toBe('de');
    expect(guess('how do I install the package', 'de')).toBe('en');
    expect(guess('how do I install the package', 'zh')).toBe('en');
    expect(guess('python', 'xx')).toBe('en');
  });
});

describe('the lists', () => {
  it.each(listedLanguages)('of %s holds words that index terms can be', (lang) => {
    const list = stopList(lang);
    expect(list.length).toBeGreaterThan(20);
    for (const word of list) expect(indexTerms(word)).not.toEqual([]);
  });
  it('are none for a language that there is no list for', () => {
    expect(stopList('xx')).toEqual([]);
    expect(stopList('constructor')).toEqual([]);
    expect(isFunctionWord('the', 'constructor')).toBe(false);
  });
  it.each([
    ['en', 'The', 'don’t', "what's", 'many'],
    ['de', 'der', 'FÜR', 'warum'],
    ['es', 'cómo', 'qué', 'la', 'está'],
    ['fr', 'où', "c'est", 'comment'],
    ['ru', 'как', 'что', 'где'],
    ['zh', '的', '什么', '怎么', '什么时候', '谁是', '我的', '哪一年', '几个'],
    ['ja', 'は', 'どうすれば', 'ください'],
    ['ko', '무엇', '무엇을', '어떻게'],
  ])('of %s hold %s and more', (lang, ...words) => {
    for (const word of words) expect(`${word} ${isFunctionWord(word, lang)}`).toBe(`${word} true`);
  });
  it.each([
    ['en', 'python', 'c', 'id', 'hell', 'shell', 'well'],
    ['es', 'empleo', 'tiempo', 'estado', 'general', 'c'],
    ['fr', 'été', 'c', 'l'],
    ['ru', 'жизнь', 'человек', 'сегодня'],
    ['tr', 'bin', 'yüz'],
    ['zh', '结果', '三', '大', '人', '年', '自由', '会所', '未来', '要求', '目的'],
    ['ja', 'すし', 'い', 'もも'],
    ['ko', '고양이', '방법'],
  ])('of %s do not hold %s and others that carry meaning', (lang, ...words) => {
    for (const word of words) expect(`${word} ${isFunctionWord(word, lang)}`).toBe(`${word} false`);
  });
});

describe('Korean particles', () => {
  it.each([
    ['파이썬을', '파이썬'],
    ['파이썬은', '파이썬'],
    ['자바가', '자바'],
    ['서울에서', '서울'],
    ['스마트폰으로', '스마트폰'],
    ['지하철로', '지하철'],
    ['설치하는', '설치'],
  ])('%s is %s', (word, stem) => {
    expect(withoutKoreanParticle(word)).toBe(stem);
  });
  it.each(['나이', '국가', '전문가', '소설가', '파이썬', 'python을', '데이터', ''])(
    'leaves %j, which has none that fits the syllable before',
    (word) => {
      expect(withoutKoreanParticle(word)).toBe(word);
    },
  );
});
