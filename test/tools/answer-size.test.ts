import { countTokens as countCl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { countTokens as countO200k } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import type { SearchResult } from '../../src/contract/search.ts';
import type { SearchAnswer } from '../../src/engine/engine.ts';
import { fittingLength, sizeOf } from '../../tools/answer-size.ts';
import { fetchContent } from '../../tools/fetch-content.ts';
import { webSearch } from '../../tools/web-search.ts';
import { engineThat, heronAlmanac } from './library.ts';

const tokenizers = { o200k_base: countO200k, cl100k_base: countCl100k };
const tokensOf = (text: string) => Math.max(countO200k(text), countCl100k(text));

/** The same in every run (a linear congruential generator). */
function drawn(alphabet: string, length: number): string {
  const characters = [...alphabet];
  let state = 1;
  let text = '';
  for (let n = 0; n < length; n++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    text += characters[Math.floor((state / 0x80000000) * characters.length)];
  }
  return text;
}

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => String.fromCodePoint(from + n)).join('');

const prose = {
  English:
    'The heron stands still for an hour, and then it moves. Nobody knows in 2026 why "patience" pays so well; most birds hurry.\n',
  Chinese: '数据库的索引如何优化？首先要了解查询的执行计划，然后再决定在哪些列上建立索引，避免全表扫描。\n',
  Taiwanese: '資料庫索引如何最佳化？臺北市是中華民國的首都，位於臺灣北部，人口約二百五十萬人。\n',
  Japanese:
    '東京都は日本の首都であり、人口が最も多い都市です。データベースの索引を最適化する方法を説明します。\n',
  Korean: '서울특별시는 대한민국의 수도이자 최대 도시이다. 데이터베이스 색인을 최적화하는 방법을 설명한다.\n',
  Russian: 'Москва — столица России, город федерального значения. Как оптимизировать индексы базы данных.\n',
  Arabic: 'القاهرة هي عاصمة جمهورية مصر العربية وأكبر مدنها. كيفية تحسين فهارس قاعدة البيانات.\n',
  Hindi: 'दिल्ली भारत की राजधानी है। डेटाबेस इंडेक्स को कैसे बेहतर बनाया जाए।\n',
  Thai: 'กรุงเทพมหานครเป็นเมืองหลวงของประเทศไทย วิธีปรับปรุงดัชนีฐานข้อมูล\n',
  code: 'export const x = { a: 1, b: [2, 3], c: () => "d\\n" };\nif (x.a !== 0x1f) throw new Error("bad" + x.b[0]);\n',
};
const noise = {
  letters: drawn(range(0x61, 0x7a), 60_000),
  base64: drawn(`${range(0x61, 0x7a)}${range(0x41, 0x5a)}0123456789+/`, 60_000),
  'hexadecimal digits': drawn('0123456789abcdef', 60_000),
  'signs and letters': drawn(range(0x20, 0x7e), 60_000),
  'quotes and line ends': drawn('"\\\n\ta', 60_000),
  'single digits': drawn('0123456789', 30_000).split('').join(' '),
  'rare ideographs': drawn(range(0x4e00, 0x9fa5), 60_000),
  'ideographs beyond the basic plane': drawn(range(0x20000, 0x2a6d6), 30_000),
  hangul: drawn(range(0xac00, 0xd7a3), 60_000),
  emoji: drawn(range(0x1f300, 0x1f5ff), 30_000),
  symbols: drawn(range(0x2190, 0x22ff), 60_000),
  'private use': drawn(range(0xe000, 0xf8ff), 60_000),
};
const texts: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(prose).map(([name, text]) => [name, text.repeat(1 + 60_000 / text.length)]),
  ),
  ...noise,
};

test.each(Object.entries(texts))('%s is not underestimated', (_, text) => {
  const part = text.slice(0, 8000);
  const json = JSON.stringify(part).slice(1, -1);
  const { chars, tokens } = sizeOf(part);
  expect(chars).toBe(json.length);
  for (const [name, count] of Object.entries(tokenizers)) {
    expect(count(json), name).toBeLessThanOrEqual(tokens);
  }
});

test('what fits is as much as the size allows', () => {
  const size = { chars: 1000, tokens: 1_000_000 };
  expect(fittingLength('a'.repeat(5000), 10, size)).toBe(1000);
  expect(fittingLength('"'.repeat(5000), 10, size)).toBe(500);
  expect(fittingLength('a'.repeat(50), 10, size)).toBe(40);
});

const record = {
  id: heronAlmanac.id,
  url: `https://birds.example/${'x'.repeat(2000)}`,
  title: 'A title',
  author: null,
  published_at: null,
  lang: 'en',
  word_count: 9,
  crawled_at: '2026-03-01T12:00:00.000Z',
  has_llms_txt: false,
};

async function fetched(body_text: string, args: object = {}, more: Partial<typeof record> = {}) {
  const engine = {
    ...engineThat(() => Promise.reject()),
    content: async () => ({ ...record, ...more, body_text }),
  };
  const input = fetchContent.input.parse({ id: record.id, ...args });
  return fetchContent.output.parse(await fetchContent.handle(engine, input, {}));
}

describe('a window of fetch_content', () => {
  test.each(Object.entries(texts))(
    'of %s stays below 50,000 characters and 25,000 tokens',
    async (_, body) => {
      const answer = JSON.stringify(await fetched(body, { max_chars: 50_000 }));
      expect(answer.length).toBeLessThanOrEqual(50_000);
      expect(tokensOf(answer)).toBeLessThanOrEqual(25_000);
    },
  );

  test.each(Object.entries(prose))('of %s has about 10,000 tokens at most unless told', async (_, text) => {
    const { body_text = '', next_start } = await fetched(text.repeat(1000));
    expect(tokensOf(body_text)).toBeLessThanOrEqual(12_000);
    expect(body_text.length).toBeGreaterThan(4000);
    expect(next_start).toBe(body_text.length);
  });

  test('is as long under a title and an author that never end', async () => {
    const endless = { title: 'title '.repeat(9000), author: 'author '.repeat(9000) as never };
    const answer = await fetched(prose.English.repeat(1000), { max_chars: 50_000 }, endless);
    expect(JSON.stringify(answer).length).toBeLessThanOrEqual(50_000);
    expect(answer.title).toMatch(/^title .* …$/);
    expect(answer.body_text?.length).toBeGreaterThan(30_000);
  });

  test('reads every text to its end', async () => {
    for (const body of [prose.Chinese.repeat(700), noise['rare ideographs'], noise['quotes and line ends']]) {
      let text = '';
      for (let start: number | undefined = 0; start !== undefined; ) {
        const answer = await fetched(body, { start, max_chars: 50_000 });
        text += answer.body_text;
        start = answer.next_start;
      }
      expect(text).toBe(body);
    }
  });
});

const result: SearchResult = {
  id: heronAlmanac.id,
  url: 'https://docs.birds.example/en/stable/library/herons-and-owls.html',
  title: 'Herons and owls',
  snippet: 'The heron stands still.',
  domain: 'docs.birds.example',
  site_name: 'The birds of the example',
  lang: 'en',
  score: 12.345678901234567,
  source: 'local',
  has_llms_txt: false,
  published_at: '2026-03-01T12:00:00.000Z',
  crawled_at: '2026-03-01T12:00:00.000Z',
};

async function searched(results: readonly SearchResult[], offset = 0) {
  const answer: SearchAnswer = {
    total: 500,
    took_ms: 12,
    results: [...results],
    external: { state: 'ok', failures: [] },
  };
  const engine = { ...engineThat(() => Promise.reject()), search: async () => answer };
  const input = webSearch.input.parse({ q: 'heron', limit: Math.max(1, results.length), offset });
  return webSearch.output.parse(await webSearch.handle(engine, input, {}));
}

const times = (count: number, more: Partial<SearchResult>) =>
  Array.from(
    { length: count },
    (_, n): SearchResult => ({ ...result, ...more, url: `${more.url ?? result.url}?${n}` }),
  );

describe('an answer of web_search', () => {
  test.each(Object.entries(texts))(
    'with ten results of %s has ten and stays below 8,000',
    async (_, text) => {
      const hostile = {
        title: text.slice(0, 2000),
        snippet: text.slice(0, 5000),
        site_name: text.slice(0, 900),
      };
      const { results, notice } = await searched(times(10, hostile));
      const answer = JSON.stringify(await searched(times(10, hostile)));
      expect(answer.length).toBeLessThan(8000);
      expect(tokensOf(answer)).toBeLessThan(25_000);
      expect(notice).toBeUndefined();
      expect(results.map(({ id, url }) => [id, url])).toEqual(times(10, {}).map(({ id, url }) => [id, url]));
      for (const { title, snippet } of results) {
        expect(title.length).toBeGreaterThan(40);
        expect(snippet.length).toBeGreaterThan(75);
        expect(title.isWellFormed() && snippet.isWellFormed()).toBe(true);
      }
    },
  );

  test('leaves alone what is short enough', async () => {
    const { results } = await searched(times(10, { snippet: 's'.repeat(250) }));
    expect(results.every(({ title, snippet }) => title === result.title && snippet.length === 250)).toBe(
      true,
    );
  });

  test.each(Object.entries(texts))('with a hundred results of %s fits a context', async (_, text) => {
    const answer = await searched(
      times(100, { title: text.slice(0, 300), snippet: text.slice(300, 800) }),
      100,
    );
    const json = JSON.stringify(answer);
    expect(json.length).toBeLessThanOrEqual(50_000);
    expect(tokensOf(json)).toBeLessThanOrEqual(25_000);
    const left = 100 - answer.results.length;
    if (left === 0) expect(answer.notice).toBeUndefined();
    else expect(answer.notice).toContain(`last ${left} are left out`);
    expect(answer.results.length).toBeGreaterThan(30);
  });

  test('has all of ten results whose addresses have 380 characters', async () => {
    const { results, notice } = await searched(
      times(10, { url: `https://birds.example/${'x'.repeat(360)}` }),
    );
    expect(results).toHaveLength(10);
    expect(notice).toBeUndefined();
  });

  test('leaves out the last of ten results whose addresses alone are too long, and says where to go on', async () => {
    const url = `https://birds.example/${'x'.repeat(2000)}`;
    const answer = await searched(times(10, { url }), 20);
    expect(JSON.stringify(answer).length).toBeLessThan(8000);
    const shown = answer.results.length;
    expect(shown).toBe(3);
    expect(answer.results[0]?.url).toBe(`${url}?0`);
    expect(answer.notice).toContain(`search again with offset ${20 + shown}`);
  });
});
