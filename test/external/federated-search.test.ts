import { expect, test } from 'vitest';
import { canonicalUrl } from '../../src/crawl/url/canonical-url.ts';
import { createFederatedSearch, type ExternalQuery } from '../../src/external/federated-search.ts';
import { parseQuery } from '../../src/query/parser.ts';
import type { LanguageSample } from '../../src/text/language/language-thread.ts';
import {
  failed,
  type Said,
  type StubProviderPool,
  stubProviderPool,
  webResult,
} from './stub-provider-pool.ts';

const question = (q: string, more: Partial<ExternalQuery> = {}): ExternalQuery => ({
  query: parseQuery(q),
  ...more,
});

const byDeclaration = (_: string, declared?: string) => declared ?? 'und';

function searchOver(
  pool: StubProviderPool,
  tell = byDeclaration,
  telling: Promise<void> = Promise.resolve(),
) {
  const clock = { ms: 1_000_000 };
  const counts = { warmUps: 0 };
  const languages = {
    warmUp: () => {
      counts.warmUps += 1;
    },
    detect: async (texts: readonly LanguageSample[]) => {
      await telling;
      return texts.map(({ text, declared }) => tell(text, declared));
    },
  };
  const federated = createFederatedSearch({ pool, canonicalUrl, languages, now: () => clock.ms });
  return { clock, counts, ...federated };
}

const urlsOf = (results: readonly { url: string }[]) => results.map(({ url }) => url);

test('one page has one result, however its address is spelt', async () => {
  const pool = stubProviderPool({
    one: [webResult('https://a.example/x?utm_source=feed', { snippet: '' }), webResult('https://b.example/')],
    two: [webResult('http://www.A.example/x#part', { publishedAt: 5, snippet: 'Told by two.' })],
  });
  const { results } = await searchOver(pool).search(question('tree'));
  expect(urlsOf(results)).toEqual(['https://a.example/x', 'https://b.example/']);
  expect(results[0]).toMatchObject({ snippet: 'Told by two.', publishedAt: 5 });
});

test('what is no address of a page is left out', async () => {
  const pool = stubProviderPool({
    one: [webResult('javascript:alert(1)'), webResult('https://u:p@a.example/')],
  });
  expect((await searchOver(pool).search(question('tree'))).results).toEqual([]);
});

test('the same question asks once for some minutes, whatever its spelling; another asks again', async () => {
  const pool = stubProviderPool({ one: [webResult('https://a.example/')] });
  const { search, peek, clock } = searchOver(pool);
  expect(peek(question('Tree  leaves'))).toBeUndefined();
  const first = await search(question('Tree  leaves'));
  expect(await search(question('tree leaves'))).toEqual(first);
  expect(peek(question('tree leaves'))).toEqual(first);
  expect(pool.requests).toHaveLength(1);
  await search(question('tree leaves', { lang: 'en' }));
  await search(question('tree leaves', { timeRange: '7d' }));
  await search(question('tree -leaves'));
  expect(pool.requests).toHaveLength(4);
  clock.ms += 5 * 60_000;
  await search(question('tree leaves'));
  expect(pool.requests).toHaveLength(5);
});

test('an answer without a result is not kept, nor one that every provider failed to give', async () => {
  const says: Record<string, Said> = { one: [], two: failed };
  const pool = stubProviderPool(says);
  const { search } = searchOver(pool);
  expect(await search(question('tree'))).toMatchObject({ state: 'partial', results: [] });
  says.one = failed;
  expect(await search(question('tree'))).toMatchObject({
    state: 'failed',
    failures: [
      { provider: 'one', message: 'no answer in time' },
      { provider: 'two', message: 'no answer in time' },
    ],
  });
  says.one = [webResult('https://a.example/')];
  expect((await search(question('tree'))).results).toHaveLength(1);
  expect(pool.requests).toHaveLength(3);
});

test('an answer that a provider is missing from is kept for half a minute', async () => {
  const says: Record<string, Said> = { one: [webResult('https://a.example/')], two: failed };
  const pool = stubProviderPool(says);
  const { search, clock } = searchOver(pool);
  await search(question('tree'));
  says.two = [webResult('https://b.example/')];
  clock.ms += 29_999;
  expect(await search(question('tree'))).toMatchObject({
    state: 'partial',
    results: [{ url: 'https://a.example/' }],
  });
  clock.ms += 1;
  expect((await search(question('tree'))).results).toHaveLength(2);
});

test('who answered in part makes the answer partial, with its reasons', async () => {
  const message = 'SearXNG could not look everywhere: engines failed: brave (CAPTCHA)';
  const pool = stubProviderPool({ one: { kind: 'partial', message, tookMs: 1 } });
  expect(await searchOver(pool).search(question('tree'))).toMatchObject({
    state: 'partial',
    failures: [{ provider: 'one', message, answeredInPart: true }],
  });
});

test('resting providers could not be asked, unfit ones need not be', async () => {
  const rests: Said = { kind: 'resting', why: 'rate', message: 'asked too often', retryAfterSeconds: 9 };
  const unfit: Said = { kind: 'unfit', message: 'another language' };
  const ask = (says: Record<string, Said>) => searchOver(stubProviderPool(says)).search(question('tree'));
  expect(await ask({ one: [], two: unfit })).toMatchObject({ state: 'ok', failures: [] });
  expect(await ask({ one: rests, two: unfit })).toMatchObject({
    state: 'failed',
    failures: [{ provider: 'one', message: 'asked too often', retryAfterSeconds: 9 }],
  });
  expect(await ask({ one: unfit })).toMatchObject({ state: 'none', failures: [] });
});

test('the language is told from title and snippet, and a filter holds back the others', async () => {
  const says = {
    one: [
      webResult('https://a.example/', { lang: null, title: '树' }),
      webResult('https://b.example/', { lang: null, title: 'Tree' }),
      webResult('https://c.example/', { lang: null, title: '42' }),
      webResult('https://d.example/', { lang: 'zh' }),
    ],
  };
  const detect = (text: string, declared?: string) =>
    text.includes('树') ? 'zh' : text.includes('Tree') ? 'en' : (declared ?? 'und');
  const urls = async (lang: string | undefined, filters: boolean) => {
    const { search } = searchOver(stubProviderPool(says, { lang: filters }), detect);
    return urlsOf((await search(question('tree', lang ? { lang } : {}))).results);
  };
  expect(await urls(undefined, false)).toHaveLength(4);
  expect(await urls('zh', false)).toEqual(['https://a.example/', 'https://d.example/']);
  // A provider that filters by language itself is believed where the text says nothing.
  expect(await urls('zh', true)).toEqual(['https://a.example/', 'https://c.example/', 'https://d.example/']);
});

test('languages that are not told in time are none, and the answer is not kept', async () => {
  const pool = stubProviderPool({
    one: [webResult('https://a.example/', { lang: null }), webResult('https://b.example/', { lang: 'en' })],
  });
  const { search, peek } = searchOver(pool, byDeclaration, new Promise(() => {}));
  expect((await search(question('tree'))).results.map(({ lang }) => lang)).toEqual(['und', 'en']);
  expect((await search(question('tree', { lang: 'en' }))).results).toHaveLength(1);
  expect(peek(question('tree'))).toBeUndefined();
});

test('the detector is made ready while providers think, unless they told every language the last time', async () => {
  const says: Record<string, Said> = { one: [webResult('https://a.example/')] };
  const { search, counts } = searchOver(stubProviderPool(says));
  await search(question('oak'));
  expect(counts.warmUps).toBe(1);
  says.one = [webResult('https://a.example/', { lang: null })];
  await search(question('elm'));
  expect(counts.warmUps).toBe(1);
  await search(question('ash'));
  expect(counts.warmUps).toBe(2);
});

test('a caller who gives up is heard by the providers only when nobody else waits', async () => {
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const pool = stubProviderPool({ one: [webResult('https://a.example/')] }, { wait: () => answered });
  const { search } = searchOver(pool);
  const first = new AbortController();
  const gone = search(question('tree'), first.signal);
  const staying = search(question('tree'));
  await new Promise((resolve) => setImmediate(resolve));
  first.abort(new Error('gone'));
  await expect(gone).rejects.toThrow('gone');
  expect(pool.signals[0]?.aborted).toBe(false);
  answer();
  expect((await staying).results).toHaveLength(1);
  expect(pool.requests).toHaveLength(1);
});
