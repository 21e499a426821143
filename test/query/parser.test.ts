import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isEmpty, parseQuery } from '../../src/query/parser.ts';
import type { Query } from '../../src/query/query.ts';

/** A query tree on one line: `&` all, `|` any, `!` not, quotes as typed, `title:`, `site:`, `type:`. */
function show(query: Query): string {
  switch (query.kind) {
    case 'all':
      return `(${query.of.map(show).join(' & ')})`;
    case 'any':
      return `(${query.of.map(show).join(' | ')})`;
    case 'not':
      return `!${show(query.of)}`;
    case 'words':
      return query.quoted ? `"${query.text}"` : query.text;
    case 'title':
      return `title:${query.text}`;
    case 'site':
      return `site:${query.host}${query.path}`;
    case 'filetype':
      return `type:${query.types.join(',')}`;
  }
}

const parsed = (q: string) => show(parseQuery(q));
const terms = (query: Query) => ('words' in query ? query.words.map(({ term }) => term) : []);

/** Every rule that the comment over `Query` gives for the tree's shape. */
function checkShape(query: Query, parent: Query['kind'] | 'top'): void {
  if (query.kind === 'not') expect(parent).toBe('all');
  if (query.kind === 'all' || query.kind === 'any') {
    expect(query.kind).not.toBe(parent);
    for (const part of query.of) checkShape(part, query.kind);
    const single = query.of.length === 1;
    expect(single && !(parent === 'top' && query.of[0]?.kind === 'not')).toBe(false);
    if (parent !== 'top') expect(query.of.length).toBeGreaterThan(1);
  }
  if (query.kind === 'not') checkShape(query.of, 'not');
  if (query.kind === 'words' || query.kind === 'title') expect(query.words.length).toBeGreaterThan(0);
}

describe('the grammar', () => {
  it.each([
    ['one word is that word', 'Python', 'python'],
    ['juxtaposition and AND mean all', 'a AND b c', '(a & b & c)'],
    ['and in lower case is a word', 'salt and', '(salt & and)'],
    ['OR binds tighter than AND', 'canon manual OR guide pdf', '(canon & (manual | guide) & pdf)'],
    ['a bar is OR, with spaces or without', 'a|b | c', '(a | b | c)'],
    ['groups nest and flatten', '(a (b c)) OR (d OR e)', '((a & b & c) | d | e)'],
    ['a group of one is its content', '((a))', 'a'],
    [
      'operators are read in any case',
      'SITE:A.com InTitle:x FileType:PDF',
      '(site:a.com & title:x & type:pdf)',
    ],
    ['an operator takes a phrase', 'intitle:"a b" site:"x.com"', '(title:a b & site:x.com)'],
    ['brackets inside a token are text', 'foo(bar)', 'foo(bar)'],
    ['a quote ends a bare token', 'about"a b"c', '(about & "a b" & c)'],
  ])('%s', (_, q, tree) => {
    expect(parsed(q)).toBe(tree);
  });

  it('opens groups five deep; brackets below that, and those without a partner, are spaces', () => {
    expect(parsed('x OR (a (b OR (c (d OR (e f)))))')).toBe('(x | (a & (b | (c & (d | (e & f))))))');
    expect(parsed('(((((a OR (b c))))))')).toBe('((a | b) & c)');
    expect(parsed(') a ( b OR c ) )')).toBe('(a & (b | c))');
    expect(parsed('((a OR b c')).toBe('((a | b) & c)');
  });
});

describe('rule 1, look-alikes', () => {
  it.each(['“a b”', '„a b“', '＂a b＂', '«a b»', '»a b«', '「a b」', '『a b』', '‟a b”'])(
    '%s is a phrase',
    (q) => {
      expect(parsed(q)).toBe('"a b"');
    },
  );
  it('takes quotes that Chinese sets without spaces', () => {
    expect(parsed('关于「机器学习」课程')).toBe('(关于 & "机器学习" & 课程)');
  });
  it('takes a full-width colon after an operator, and there alone', () => {
    expect(parsed('site：example.com intitle：x')).toBe('(site:example.com & title:x)');
    expect(parsed('比：好')).toBe('比:好');
  });
  it.each(['－b', '−b', '–b'])('%s excludes', (q) => {
    expect(parsed(`a ${q}`)).toBe('(a & !b)');
  });
  it('leaves a dash inside a token alone', () => {
    expect(parsed('2019–2020')).toBe('2019–2020');
  });
  it('takes full-width brackets, bars and spaces, also with no space around them', () => {
    expect(parsed('教程（甲｜乙）　丙')).toBe('(教程 & (甲 | 乙) & 丙)');
    expect(parsed('a -（b c）')).toBe('(a & !(b & c))');
  });
  it('sees syntax behind marks that show nothing', () => {
    expect(parsed('a \u200f-b \ufeff"c d"')).toBe('(a & !b & "c d")');
  });
});

describe('rule 2, phrases', () => {
  it('asks for every word of a phrase, function words too', () => {
    const query = parseQuery('"the state of art"');
    expect(query).toMatchObject({ kind: 'words', quoted: true, text: 'the state of art' });
    expect(terms(query)).toEqual(['the', 'state', 'of', 'art']);
    expect('words' in query && query.words.every(({ required }) => required)).toBe(true);
  });
  it('runs to the end when no quote closes it', () => {
    expect(parsed('x "a OR -b (')).toBe('(x & "a or -b (")');
  });
  it.each([
    ['被命名为 ABC”，为期 5年', '(被命名为 & abc & ,为期 & 5年)'],
    ['a “b” c” d e', '(a & "b" & c & d & e)'],
    ['5" disk', '(5 & disk)'],
    ['a b". c', '(a & b & c)'],
  ])('does not begin at the last quote of %s, which can only close one', (q, tree) => {
    expect(parsed(q)).toBe(tree);
  });
  it('drops an empty one', () => {
    expect(parsed('a "" b "  " OR c')).toBe('(a & b & c)');
    expect(parsed('a OR "" OR b')).toBe('(a | b)');
  });
});

describe('rule 3, exclusions', () => {
  it.each([
    ['x -w', '(x & !w)'],
    ['x -"a b"', '(x & !"a b")'],
    ['x -site:y.com', '(x & !site:y.com)'],
    ['x -intitle:w', '(x & !title:w)'],
    ['x -filetype:pdf', '(x & !type:pdf)'],
    ['x -(a b)', '(x & !(a & b))'],
    ['x -(a OR b)', '(x & !(a | b))'],
    ['x -(-a)', '(x & a)'],
    ['x -(a -b)', '(x & !(a & !b))'],
    ['x-1', 'x-1'],
    ['+x y', '(x & y)'],
    ['x --w', '(x & --w)'],
    ['x - + y', '(x & y)'],
    ['x -+w', '(x & -+w)'],
    ['-OR x', '(!or & x)'],
  ])('%s', (q, tree) => {
    expect(parsed(q)).toBe(tree);
  });
  it('excludes a compound as it is written, not every page that holds its pieces', () => {
    const query = parseQuery('x -asyncio.TaskGroup');
    const excluded = query.kind === 'all' && query.of[1]?.kind === 'not' ? query.of[1].of : query;
    expect(excluded).toMatchObject({
      words: expect.arrayContaining([{ term: 'asyncio.taskgroup', stem: null, required: true, weight: 1 }]),
    });
  });
});

describe('rule 4, OR', () => {
  it.each([
    ['OR a', 'a'],
    ['a OR', 'a'],
    ['a OR OR b', '(a | b)'],
    ['a || b', '(a | b)'],
    ['(OR a OR) b', '(a & b)'],
    ['a "" OR b', '(a & b)'],
    ['site:a.com OR intitle:b OR filetype:pdf', '(site:a.com | title:b | type:pdf)'],
    ['a OR -b OR c', '((a | c) & !b)'],
    ['-a OR -b', '(!a & !b)'],
    ['x (a OR -b)', '(x & a & !b)'],
    ['(-a) OR b', '(b & !a)'],
    ['(a -b) OR c', '((a & !b) | c)'],
  ])('%s', (q, tree) => {
    expect(parsed(q)).toBe(tree);
  });
});

describe('rules 5 and 6, site: and filetype: in a tree', () => {
  it.each([
    ['site:https://User@Example.com:8443/docs/ x', '(site:example.com/docs & x)'],
    ['site:*.bücher.example.', 'site:xn--bcher-kva.example'],
    ['site:a.com site:b.com', '(site:a.com & site:b.com)'],
    ['x (site:a.com OR site:b.com)', '(x & (site:a.com | site:b.com))'],
    ['site:a.com -site:www.a.com', '(site:a.com & !site:www.a.com)'],
    ['filetype:doc', 'type:doc,docx,odt'],
    ['filetype:pdf OR filetype:ppt', '(type:pdf | type:ppt,pptx,odp)'],
    ['filetype:zip', 'type:'],
    ['-filetype:zip x', '(!type: & x)'],
  ])('%s', (q, tree) => {
    expect(parsed(q)).toBe(tree);
  });
});

describe('rule 7, what is no operator', () => {
  it.each([
    ['site: x', '(site: & x)'],
    ['intitle:', 'intitle:'],
    ['foo:bar', 'foo:bar'],
    ['http://example.com/a', 'http://example.com/a'],
    ['intitle:!!', 'intitle:!!'],
    ['site:/', 'site:/'],
    ['xsite:a.com', 'xsite:a.com'],
  ])('%s is text', (q, tree) => {
    expect(parsed(q)).toBe(tree);
  });
  it('asks for the words of the text', () => {
    expect(terms(parseQuery('foo:bar'))).toEqual(['foo', 'bar']);
    expect(terms(parseQuery('site:'))).toEqual(['site']);
  });
  it('does not require the scheme of an address', () => {
    const query = parseQuery('https://example.com');
    expect(
      'words' in query && query.words.filter(({ required }) => required).map(({ term }) => term),
    ).toEqual(['example', 'com']);
  });
  it('drops an operator with an empty phrase', () => {
    expect(parsed('a intitle:"" site:" "')).toBe('a');
  });
});

describe('rule 8, only exclusions or only filters', () => {
  it.each([
    ['-a', '(!a)'],
    ['-a -site:x.com', '(!a & !site:x.com)'],
    ['site:x.com', 'site:x.com'],
    ['filetype:pdf -b', '(type:pdf & !b)'],
  ])('%s is valid', (q, tree) => {
    expect(parsed(q)).toBe(tree);
    expect(isEmpty(parseQuery(q))).toBe(false);
  });
});

describe('rule 9, limits', () => {
  it.each([
    '',
    '  ',
    '""',
    '“”',
    'OR',
    'AND',
    'a'.repeat(0),
    '()',
    '-',
    '- + |',
    '-""',
    '!!!',
    '\0',
    '-(OR)',
  ])('nothing is left of %j', (q) => {
    expect(isEmpty(parseQuery(q))).toBe(true);
  });
  it.each(['a', '"OR"', 'filetype:zip', '😀', 'C++', '的'])('something is left of %j', (q) => {
    expect(isEmpty(parseQuery(q))).toBe(false);
  });
  it('ignores the words past 512, and of a phrase past 64, but not the filters', () => {
    const words = Array.from({ length: 600 }, (_, place) => `w${place}`);
    const query = parseQuery(`${words.join(' ')} site:x.com`);
    expect(show(query)).toBe(`(${words.slice(0, 512).join(' & ')} & site:x.com)`);
    expect(terms(parseQuery(`"${words.join(' ')}"`))).toHaveLength(64);
  });

  it('counts what a character is short for: no character is more words than it shows', () => {
    expect(terms(parseQuery('ﷺ'.repeat(100))).length).toBeLessThanOrEqual(32);
  });

  const syntax = [
    '"',
    '(',
    ')',
    '-(',
    '|',
    ' OR ',
    ' AND ',
    '-',
    '+',
    'site:',
    'intitle:',
    'filetype:',
    '“',
    '（',
  ];
  const oddities = [
    '\ud800',
    '\udc00',
    '\u200f',
    '\0',
    '：',
    '𠮷',
    '👨‍👩‍👧',
    'ﾞ',
    '\u0301',
    'site:[',
    'site:%',
  ];
  /** Repeated some times, so that brackets nest and quotes come by the hundred. */
  const repeated = fc
    .tuple(fc.constantFrom(...syntax), fc.nat(200))
    .map(([part, times]) => part.repeat(times));
  const nested = fc.nat(30).map((depth) => `${'('.repeat(depth)}a${')'.repeat(depth)}`);
  const hostile = fc
    .array(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 8 }),
        fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)), maxLength: 8 }),
        fc.constantFrom(...syntax),
        fc.constantFrom(...oddities),
        repeated,
        nested,
      ),
      { maxLength: 40 },
    )
    .map((parts) => parts.join(''));
  it('never throws, and gives a tree of the promised shape', () => {
    fc.assert(
      fc.property(hostile, (q) => checkShape(parseQuery(q), 'top')),
      { numRuns: 2000 },
    );
  });
  it('was tried with what is known to break parsers', () => {
    const tried = fc.sample(hostile, { numRuns: 500, seed: 1 });
    for (const pattern of [
      /\p{Surrogate}/u,
      /"{100}/,
      /\({6}.*\){6}/s,
      /(?:-\(){6}/,
      /\u200f/,
      /\0/,
      /[^\0-\uffff]/u,
    ]) {
      expect(tried.filter((q) => pattern.test(q)).length).toBeGreaterThan(5);
    }
  });
  it.each([
    ['quotes', '"'.repeat(10_000)],
    ['open brackets', '('.repeat(100_000)],
    ['nested groups', `${'('.repeat(50_000)}a${')'.repeat(50_000)}`],
    ['negated groups', `${'-('.repeat(50_000)}a${')'.repeat(50_000)}`],
    ['ORs', 'OR '.repeat(50_000)],
    ['one long token', 'a.'.repeat(100_000)],
    ['one long run of Han', '数据库'.repeat(30_000)],
    ['signs', '-'.repeat(100_000)],
    ['direction marks', '\u200f'.repeat(100_000)],
    ['operators', 'site:'.repeat(20_000)],
    ['brackets in a token', `a${'('.repeat(50_000)}${')'.repeat(50_000)}`],
    ['digits and dots', `${'1.'.repeat(50_000)}x`],
  ])('takes 100,000 characters of %s in its stride', (_, q) => {
    expect(() => parseQuery(q)).not.toThrow();
  });
});

describe('rule 10, language tags', () => {
  it('stems by the language of the pages that are asked for', () => {
    const stem = (lang: string) => {
      const query = parseQuery('libros', { lang });
      return query.kind === 'words' ? query.words[0]?.stem : undefined;
    };
    expect(stem('es')).toBe('~libr');
    expect(stem('en')).toBe('~libro');
    expect(stem('__proto__')).toBe('~libro');
  });
});
