import { expect, test } from 'vitest';
import type { ServiceError } from '../../src/contract/errors.ts';
import { createParameterReader } from '../../src/contract/parameters.ts';
import { SearchParams } from '../../src/contract/search.ts';

const read = createParameterReader(SearchParams);

function complaints(given: Record<string, unknown>, found?: { parameter: string; message: string }[]) {
  try {
    read(given, found);
  } catch (error) {
    const { code, parameters } = error as ServiceError;
    expect(code).toBe('invalid_parameters');
    return Object.fromEntries(parameters.map(({ parameter, message }) => [parameter, message]));
  }
  throw new Error('nothing was complained about');
}

test('good parameters come back with their defaults, unknown ones are dropped', () => {
  expect(read({ q: 'heron', limit: '5', lang: '', colour: 'grey' })).toEqual({
    q: 'heron',
    limit: 5,
    offset: 0,
  });
});

test('every bad parameter is named at once, with its bounds', () => {
  expect(
    complaints({ q: '  ', limit: '0', offset: 991, lang: 'x'.repeat(36), time_range: '2d', site: 7 }),
  ).toEqual({
    q: 'must hold at least one word',
    limit: 'must be an integer from 1 to 100',
    offset: 'must be an integer from 0 to 990',
    lang: 'must be at most 35 characters',
    time_range: 'must be one of 1d, 7d, 30d, 1y, all',
    site: 'must be a string',
  });
});

test('a missing parameter is said to be required', () => {
  expect(complaints({})).toEqual({ q: 'is required' });
});

test.each(['', '1.5', 'ten', '-1', '1e1', '0x10', '٣'])('limit=%j is no integer', (limit) => {
  expect(complaints({ q: 'heron', limit })).toEqual({ limit: 'must be an integer from 1 to 100' });
});

test('what was found wrong before is kept and not complained about twice', () => {
  const found = [{ parameter: 'q', message: 'must be given only once' }];
  expect(complaints({ limit: 'x' }, found)).toEqual({
    q: 'must be given only once',
    limit: 'must be an integer from 1 to 100',
  });
});

test('what was found wrong before is refused even when the rest is good', () => {
  expect(complaints({ q: 'heron' }, [{ parameter: 'lang', message: 'must be given only once' }])).toEqual({
    lang: 'must be given only once',
  });
});

test.each(['en', 'ZH', 'zh-CN', 'zh_Hant_TW', 'zho', 'es-419', ' en '])(
  'lang=%j is a language code',
  (lang) => {
    expect(read({ q: 'heron', lang, lang_priority: lang }).lang).toBe(lang.trim());
  },
);

test.each(['english', 'e', 'en-', 'en us', '中文', '*', 'en,zh'])('lang=%j is none', (lang) => {
  const message = 'must be a language code, e.g. en or zh';
  expect(complaints({ q: 'heron', lang, lang_priority: lang })).toEqual({
    lang: message,
    lang_priority: message,
  });
});
