import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadLanguageDetector, primarySubtag } from '../../../src/text/language/language.ts';
import { dataSets } from '../../data-sets.ts';

const detect = await loadLanguageDetector();

describe('rule 10, language tags', () => {
  it.each([
    ['zh-CN', 'zh'],
    ['zh-Hant', 'zh'],
    ['ZH_tw', 'zh'],
    ['en', 'en'],
    [' pt-BR ', 'pt'],
    ['cmn-Hans', 'zh'],
    ['iw', 'he'],
    ['zho', 'zh'],
    ['ger', 'de'],
    ['', ''],
  ])('%j is %j', (tag, subtag) => {
    expect(primarySubtag(tag)).toBe(subtag);
  });
});

describe('the language of a text', () => {
  it.each([
    ['我们的 Python 教程：asyncio.TaskGroup 与 asyncio.gather', 'zh'],
    ['東京都庁への行き方', 'ja'],
    ['안녕하세요 세계', 'ko'],
    ['Добрий день, як у вас справи сьогодні?', 'uk'],
    ['Как установить программу на компьютер', 'ru'],
    ['สวัสดีชาวโลก', 'th'],
    ['Καλημέρα κόσμε', 'el'],
    ['שלום עולם', 'he'],
    ['The quick brown fox jumps over the lazy dog', 'en'],
    ['Der schnelle braune Fuchs springt über den faulen Hund', 'de'],
    ['El perro perezoso duerme todo el día en la casa', 'es'],
    ['https://example.com/the/quick/brown/fox Установка программы на компьютер', 'ru'],
  ])('%s', (text, lang) => {
    expect(detect(text)).toBe(lang);
  });
  it('is undetermined where there are no letters and nothing is declared', () => {
    expect(detect('12345 !!')).toBe('und');
    expect(detect('')).toBe('und');
    expect(detect('12345', 'fr-FR')).toBe('fr');
    expect(detect('12345', 'nonsense')).toBe('und');
  });
  it('is not what a page declares against its own words', () => {
    expect(detect('The quick brown fox jumps over the lazy dog', 'de')).toBe('en');
    expect(detect('数据库优化教程', 'en')).toBe('zh');
    expect(detect('Установка программы на компьютер', 'zh-CN')).toBe('ru');
  });
  it('is what a page declares where its words could be either', () => {
    expect(detect('README', 'de')).toBe('de');
    expect(detect('日本国憲法', 'ja')).toBe('ja');
    expect(detect('日本国憲法')).toBe('zh');
  });

  it.each(dataSets('langid'))(
    'is right for 99 of 100 labelled short texts: $name',
    ({ folder, isOutside }) => {
      const tweets = new URL(isOutside ? 'tweets.txt' : 'texts.txt', folder);
      const lines = readFileSync(tweets, 'utf8').trim().split('\n');
      const right = lines.filter((line) => {
        const [lang, text = ''] = line.split('\t');
        return detect(text) === lang;
      });
      expect(right.length / lines.length).toBeGreaterThan(0.99);
    },
  );
});

describe('a short text in a common language', () => {
  it.each([
    ['printer drivers for laser printers', 'en'],
    ['printer driver for Canon LBP laser printers', 'en'],
    ['PHP plugin for uWSGI', 'en'],
    ['анализатор журналов веб-серверов', 'ru'],
    ['Constructor de paquetes ICMP', 'es'],
  ])('is not taken for its rarer kin: %s', (text, lang) => {
    expect(detect(text)).toBe(lang);
  });
});
