import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inQuotes, type QuerySyntax, renderQuery } from '../../../src/external/query/render-query.ts';
import { parseQuery } from '../../../src/query/parser.ts';
import { reduceQuery } from '../../../src/query/reduce-query.ts';

const full: QuerySyntax = {
  phrase: inQuotes,
  exclude: (operand) => `-${operand}`,
  or: (operands) => operands.join(' OR '),
  title: (word) => `intitle:${word}`,
  site: ({ host, path }) => `site:${host}${path}`,
  filetype: ({ types }) => `filetype:${types[0]}`,
  group: (inner) => `(${inner})`,
  alternatives: 'first',
  maxLength: 400,
};
const { group, ...flat } = full;
const wordsOnly: QuerySyntax = { alternatives: 'first', maxLength: 400 };
const byLikeness: QuerySyntax = { alternatives: 'words', maxLength: 400 };

test.each([
  ['rust async', 'rust async', 'rust async', 'rust async', 'rust async'],
  [
    '"async runtime" rust',
    '"async runtime" rust',
    '"async runtime" rust',
    'async runtime rust',
    'async runtime rust',
  ],
  ['rust -python', 'rust -python', 'rust -python', 'rust', 'rust'],
  ['rust -"old book"', 'rust -"old book"', 'rust -"old book"', 'rust', 'rust'],
  ['cats OR dogs', '(cats OR dogs)', 'cats OR dogs', 'cats', 'cats dogs'],
  ['rust (tokio OR mio)', 'rust (tokio OR mio)', 'rust tokio OR mio', 'rust tokio', 'rust tokio mio'],
  ['(async io) OR mio', '((async io) OR mio)', 'async io', 'async io', 'async io mio'],
  ['rust -(a OR b)', 'rust -a -b', 'rust -a -b', 'rust', 'rust'],
  ['intitle:guide rust', 'intitle:guide rust', 'intitle:guide rust', 'guide rust', 'guide rust'],
  ['site:docs.rs/tokio spawn', 'site:docs.rs/tokio spawn', 'site:docs.rs/tokio spawn', 'spawn', 'spawn'],
  ['spawn -site:docs.rs', 'spawn -site:docs.rs', 'spawn -site:docs.rs', 'spawn', 'spawn'],
  ['(site:a.com OR site:b.com) x', '(site:a.com OR site:b.com) x', 'site:a.com OR site:b.com x', 'x', 'x'],
  ['manual filetype:doc', 'manual filetype:doc', 'manual filetype:doc', 'manual', 'manual'],
  [
    'C++ .NET C# node.js @types/node',
    'c++ .net c# node.js @types/node',
    'c++ .net c# node.js @types/node',
    'c++ .net c# node.js @types/node',
    'c++ .net c# node.js @types/node',
  ],
  ['what is rust?', 'what is rust', 'what is rust', 'what is rust', 'what is rust'],
  [
    'cache:admin http://x.y/z',
    '"cache admin" "http //x.y/z"',
    '"cache admin" "http //x.y/z"',
    'cache admin http //x.y/z',
    'cache admin http //x.y/z',
  ],
  ['数据库优化', '数据库优化', '数据库优化', '数据库优化', '数据库优化'],
  ['site:docs.rs', 'site:docs.rs', 'site:docs.rs', '', ''],
  ['-rust', '', '', '', ''],
])('%s', (q, ...expected) => {
  const query = parseQuery(q);
  expect([full, flat, wordsOnly, byLikeness].map((syntax) => renderQuery(query, syntax))).toEqual(expected);
});

test('what does not fit is left out, exclusions first', () => {
  const query = parseQuery('alpha -beta gamma');
  expect(renderQuery(query, { ...full, maxLength: 12 })).toBe('alpha gamma');
  expect(renderQuery(query, { ...full, maxLength: 7 })).toBe('alpha');
});

test('what is written for us is read by us as the same query', () => {
  const token = fc.constantFrom(
    'rust',
    'tokio',
    '-java',
    '"async io"',
    '-"old book"',
    'intitle:guide',
    'site:docs.rs',
    '-site:a.com/b',
    'filetype:pdf',
    'c++',
    'cats OR dogs',
    '(x y) OR z',
    '数据库',
  );
  fc.assert(
    fc.property(fc.array(token, { minLength: 1, maxLength: 6 }), (tokens) => {
      const query = parseQuery(tokens.join(' '));
      const written = renderQuery(query, { ...full, maxLength: 10_000 });
      // Words first and exclusions last, which changes nothing of what is asked.
      const parts = (tree: typeof query) =>
        (tree.kind === 'all' ? tree.of : [tree]).map((part) => JSON.stringify(part)).sort();
      if (written !== '') expect(parts(parseQuery(written))).toEqual(parts(query));
    }),
  );
});

test('text never becomes syntax, whatever it is', () => {
  const noise = fc.string({
    unit: fc.constantFrom(...'ab "\'()|:*~-+\\[]{}<>!?“”^OR site:x.y'),
    maxLength: 40,
  });
  fc.assert(
    fc.property(noise, (q) => {
      const written = renderQuery(parseQuery(q), wordsOnly);
      expect(written).not.toMatch(/["“”()|:*~^\\[\]{}<>!?]/u);
      expect(written).not.toMatch(/(?:^|\s)[-+]|\b(?:OR|AND|NOT)\b/);
      const quotes = renderQuery(parseQuery(q), full).match(/"/g)?.length ?? 0;
      expect(quotes % 2).toBe(0);
    }),
  );
});

test('of a long query a service gets the words that tell most, in the order of the query', async () => {
  const words = Array.from({ length: 60 }, (_, n) => `word${n}`);
  const rarities = async (list: readonly unknown[]) => list.map((_, place) => 1 + ((place * 7) % 60));
  const query = await reduceQuery(parseQuery(words.join(' ')), rarities);
  const sent = renderQuery(query, { ...wordsOnly, maxLength: 100 }).split(' ');
  const rarest = words.filter((_, place) => (place * 7) % 60 >= 60 - sent.length);
  expect(sent.length).toBeGreaterThan(10);
  expect(sent.filter((word) => rarest.includes(word)).length).toBeGreaterThanOrEqual(sent.length - 1);
  expect(sent).toEqual(words.filter((word) => sent.includes(word)));
});
