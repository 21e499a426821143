import { describe, expect, it } from 'vitest';
import { loosenQuery } from '../../src/query/bare-words.ts';
import { parseQuery } from '../../src/query/parser.ts';

const typed = (q: string) => loosenQuery(parseQuery(q))?.words.map((word) => word.typed);

describe('the words that a page may lack', () => {
  it.each([
    ['bare words, as they were typed', 'Tokyo TaskGroup Naïve', ['Tokyo', 'TaskGroup', 'Naïve']],
    ['each once', 'oak Oak tree', ['oak', 'tree']],
    ['those of a group that is no alternative', '(oak tree) moss', ['oak', 'tree', 'moss']],
    ['the pieces of a compound', 'asyncio.TaskGroup cancel', ['asyncio', 'TaskGroup', 'cancel']],
    ['the words of a run of Han, not its pairs', '安装软件包', ['安装', '软件', '包']],
    ['no function words of a question', 'how do I install the package', ['install', 'package']],
    ['not what is quoted', '"oak tree" moss fern', ['moss', 'fern']],
    ['not what has a plus', '+oak moss fern', ['moss', 'fern']],
    ['not what is in a group with a plus', '+(oak tree) moss fern', ['moss', 'fern']],
    ['not what is excluded', '-oak moss fern', ['moss', 'fern']],
    ['no alternatives', 'oak OR elm moss fern', ['moss', 'fern']],
    ['no operators', 'site:a.com intitle:oak filetype:pdf moss fern', ['moss', 'fern']],
  ])('are %s', (_, q, words) => {
    expect(typed(q)).toEqual(words);
  });

  it.each(['oak', '+oak moss', '"oak tree" moss', 'oak OR moss', 'site:a.com', '优化', 'the oak of'])(
    'are not fewer than two: %s',
    (q) => {
      expect(typed(q)).toBeUndefined();
    },
  );

  it('leave everything else as it is', () => {
    const query = parseQuery('oak "moss fern" +elm -ash a OR b intitle:x site:a.com tree');
    const hard = loosenQuery(query)?.hard;
    const parts = query.kind === 'all' ? query.of : [];
    expect(hard).toEqual({
      kind: 'all',
      of: parts.filter((part) => part.kind !== 'words' || part.quoted || part.text === 'elm'),
    });
  });

  it('of one word with several terms are held only with all of them', () => {
    const [word] = loosenQuery(parseQuery('データ 优化'))?.words ?? [];
    expect(word?.of.map(({ term }) => term)).toEqual(['デー', 'ータ']);
  });
});
