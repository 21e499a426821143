import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createBodyMarks } from '../../../src/engine/marks/body-marks.ts';
import type { Candidate } from '../../../src/engine/ranking/candidate.ts';
import { queryFeatures } from '../../../src/engine/ranking/query-features.ts';
import { type RankedHit, rerank } from '../../../src/engine/ranking/rerank.ts';
import type { Page } from '../../../src/page.ts';
import { parseQuery } from '../../../src/query/parser.ts';
import { wholePage } from '../../../src/store/page/beginnings.ts';
import { findTerms } from '../../../src/text/occurrences/find-terms.ts';
import { addressOf } from '../../../src/text/page-address.ts';
import { examplePage } from '../../pages.ts';
import { listOf } from '../../text/occurrences/found-terms.ts';

const now = Date.UTC(2026, 10, 20);
const day = 24 * 60 * 60 * 1000;

type Fields = Partial<Page> & { url: string };

/** What the second phase is given for pages with these fields, all of one first-phase score unless they say. */
function questionAbout(q: string, pages: readonly (Fields & { score?: number })[]) {
  const query = parseQuery(q);
  const words =
    query.kind === 'all'
      ? query.of.flatMap((part) => (part.kind === 'words' ? part.words : []))
      : query.kind === 'words'
        ? query.words
        : [];
  const weights = new Map(
    words.flatMap(({ term, stem }) => [[term, 0.1], ...(stem ? [[stem, 0.9]] : [])] as [string, number][]),
  );
  const question = queryFeatures(query, weights);
  const read: string[] = [];
  const candidates = pages.map(({ score = 1, ...fields }): Candidate => {
    const page = examplePage({ crawledAt: now - 1000 * day, ...fields });
    const marks = createBodyMarks(wholePage(page));
    const find = (text: string) => listOf(findTerms(text, question.weights, page.lang));
    return {
      hit: { id: page.id, score, crawledAt: page.crawledAt },
      head: page,
      address: addressOf(page.url),
      inTitle: find(page.title),
      inPlace: () => find(`${page.title} ${page.url}`),
      read: () => {
        read.push(page.url);
        return {
          marks,
          inBody: find(page.body),
          inHeadings: () => find(page.headings),
        };
      },
    };
  });
  return { candidates, question, read };
}

/** In an order that the rules have to change. */
function rerankPages(q: string, pages: readonly Fields[]): Promise<RankedHit[]> {
  const { candidates, question } = questionAbout(q, pages);
  return rerank(candidates, question, now);
}

/** A hit with its factors as values. */
const plain = (hit: RankedHit) => ({ ...hit, factors: hit.factors() });

const factorOf = async (q: string, page: Partial<Page> & { url: string }, rule: string) =>
  (await rerankPages(q, [page]))[0]?.factors()[rule];

describe('each rule raises what it is for', () => {
  const url = 'https://a.example/x';

  test('title: all words in the title, some less', async () => {
    const all = (await factorOf('task groups', { url, title: 'Task group' }, 'title')) ?? 0;
    const half = (await factorOf('task groups', { url, title: 'Tasks' }, 'title')) ?? 0;
    expect(all).toBeGreaterThan(half);
    expect(half).toBeGreaterThan(1);
    expect(await factorOf('task groups', { url, title: 'Home' }, 'title')).toBe(1);
  });

  test('named: a title that is the question and little more, of what it names the last part too', async () => {
    const named = async (q: string, title: string, path = '/x') =>
      (await factorOf(q, { url: `https://a.example${path}`, title }, 'named')) ?? 0;
    expect(await named('future', 'Future')).toBe(2);
    expect(await named('future', 'Future (Java SE 17 & JDK 17)')).toBe(2);
    expect(await named('future', 'Interface Future<V>')).toBe(2);
    expect(await named('hashmap', 'Struct std::collections::HashMap')).toBeGreaterThan(1.5);
    expect(await named('future', 'Uses of Interface java.util.concurrent.Future')).toBeLessThan(1.1);
    expect(await named('future', 'FutureTask')).toBe(1);
    expect(await named('树', '树')).toBe(2);
  });

  test('named: where the title says a part of the question, the address says the rest', async () => {
    const named = async (path: string) =>
      (await factorOf(
        'java.util.concurrent Future',
        { url: `https://a.example${path}`, title: 'Interface Future<V>' },
        'named',
      )) ?? 0;
    expect(await named('/api/java/util/concurrent/Future.html')).toBe(2);
    expect(await named('/api/scala/Future.html')).toBeLessThan(1.5);
  });

  test('defined: a heading or the beginning of a line, and no mention in a sentence', async () => {
    const defined = async (q: string, page: Partial<Page>) =>
      (await factorOf(q, { url: 'https://a.example/x', title: 'T', ...page }, 'defined')) ?? 0;
    const heading = await defined('heron pond', { headings: 'A\n2.1. Heron pond\nB', body: 'heron pond' });
    expect(heading).toBe(1.8);
    expect(await defined('TaskGroup', { body: 'A\n\nclass TaskGroup(*, loop)\n\nIt groups.' })).toBe(1.5);
    expect(await defined('--follow', { body: 'A\n\n--follow\n\nGoes on.' })).toBe(1.5);
    expect(await defined('create_task', { body: 'loop.create_task(coro, *, name=None)' })).toBeGreaterThan(
      1.2,
    );
    expect(await defined('create_task', { body: 'One calls loop.create_task(coro) for it.' })).toBeLessThan(
      1.1,
    );
    expect(await defined('task', { body: 'create_subtask(x)' })).toBe(1);
  });

  test('listing: a page that is mostly links, unless it is asked for by name', async () => {
    const listing = (q: string, linkShare?: number, title = 'Index') =>
      factorOf(
        q,
        { url: 'https://a.example/x', title, body: q, ...(linkShare !== undefined && { linkShare }) },
        'listing',
      );
    expect(await listing('heron', 0.9)).toBe(0.5);
    expect(await listing('heron', 0.3)).toBe(1);
    expect(await listing('heron')).toBe(1);
    expect(await listing('heron index', 0.9, 'Heron index')).toBe(1);
    expect(await factorOf('heron', { url: 'https://heron.example/', linkShare: 0.9 }, 'listing')).toBe(1);
  });

  test('window: the words near each other', async () => {
    const near =
      (await factorOf('heron pond', { url, body: `${'x '.repeat(300)} a heron at the pond` }, 'window')) ?? 0;
    const far =
      (await factorOf('heron pond', { url, body: `a heron ${'x '.repeat(300)} the pond` }, 'window')) ?? 0;
    expect(near).toBeGreaterThan(far);
    expect(far).toBeGreaterThan(1);
  });

  test('phrase: the words side by side in their order, in any script', async () => {
    expect(
      await factorOf('"context manager"', { url, body: 'a context manager is' }, 'phrase'),
    ).toBeGreaterThan(1);
    expect(await factorOf('"context manager"', { url, body: 'a manager of context' }, 'phrase')).toBe(1);
    expect(await factorOf('"context manager"', { url, body: 'context of the manager' }, 'phrase')).toBe(1);
    expect(await factorOf('数据库优化', { url, body: '讲数据库优化的书' }, 'phrase')).toBeGreaterThan(1);
    expect(await factorOf('数据库优化', { url, body: '优化你的数据库' }, 'phrase')).toBe(1);
  });

  test('host: the front page of the site that has the name', async () => {
    const front = (await factorOf('python', { url: 'https://www.python.org/' }, 'host')) ?? 0;
    const below = (await factorOf('python', { url: 'https://docs.python.org/3/library/' }, 'host')) ?? 0;
    expect(front).toBeGreaterThan(below);
    expect(below).toBeGreaterThan(1);
    expect(await factorOf('python', { url: 'https://monty.example/python' }, 'host')).toBe(1);
    expect(await factorOf('org', { url: 'https://python.org/' }, 'host')).toBe(1);
  });

  test('fresh: by publication, else by crawl, and never much', async () => {
    const fresh = (await factorOf('x', { url, publishedAt: now - day }, 'fresh')) ?? 0;
    expect(fresh).toBeGreaterThan(
      (await factorOf('x', { url, publishedAt: now - 400 * day, crawledAt: now }, 'fresh')) ?? 0,
    );
    expect(fresh).toBeLessThanOrEqual(1.05);
    expect(await factorOf('x', { url, publishedAt: now + day }, 'fresh')).toBeLessThanOrEqual(1.05);
  });

  test('copy: the second page of the same text moves down', async () => {
    const body = 'A text that two sites show, word for word. heron';
    const ranked = await rerankPages('heron', [
      { url: 'https://a.example/1', title: 'T', body },
      { url: 'https://b.example/1', title: 'T', body },
      { url: 'https://c.example/1', title: 'T', body: 'Another text. heron' },
    ]);
    expect(ranked.map(({ factors }) => factors().copy)).toEqual([1, 1, 0.5]);
  });

  test('sameHost: from the third page on, unless the query names a site', async () => {
    const pages = [1, 2, 3, 4].map((n) => ({ url: `https://a.example/${n}`, body: `heron ${n}` }));
    expect((await rerankPages('heron', pages)).map(({ factors }) => factors().sameHost)).toEqual([
      1,
      1,
      0.95,
      0.95 ** 2,
    ]);
    const named = await rerankPages('heron site:a.example', pages);
    expect(named.map(({ factors }) => factors().sameHost)).toEqual([1, 1, 1, 1]);
    const asked = pages.map(({ url, body }) => ({ url: url.replace('//a.', '//docs.tern.'), body }));
    const ofHost = await rerankPages('tern heron', asked);
    expect(ofHost.map(({ factors }) => factors().sameHost)).toEqual([1, 1, 1, 1]);
  });
});

test('the best few are those of the whole, however the pages are, and stand as they do there', async () => {
  const page = fc.record({
    host: fc.constantFrom('a', 'b', 'c'),
    score: fc.constantFrom(0.3, 0.7, 1, 1.1, 1.5, 2, 5),
    title: fc.constantFrom('heron', 'pond', 'heron pond'),
    body: fc.constantFrom('heron pond', 'heron', '', 'pond x heron', `heron ${'x '.repeat(200)} pond`),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(page, { maxLength: 12 }),
      fc.integer({ min: 1, max: 12 }),
      async (rows, wanted) => {
        const pages = rows.map(({ host, ...rest }, at) => ({
          ...rest,
          url: `https://${host}.example/${at}`,
        }));
        const { candidates, question } = questionAbout('heron pond', pages);
        const few = await rerank(candidates, question, now, wanted);
        expect(few.map(plain)).toEqual((await rerank(candidates, question, now)).slice(0, wanted).map(plain));
      },
    ),
    { numRuns: 1000 },
  );
});

test('so they are where some pages are text sources, and where not all of them are looked at', async () => {
  const row = fc.record({
    score: fc.constantFrom(0.3, 0.7, 1, 1.1, 1.5),
    title: fc.constantFrom('heron', 'pond', 'heron pond', 'nest'),
    source: fc.constantFrom(1, 1, 0.25),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 38, maxLength: 60 }),
      fc.integer({ min: 1, max: 60 }),
      async (rows, wanted) => {
        const pages = rows.map(({ score, title }, at) => ({
          ...{ score, title, body: title },
          url: `https://${at % 20}.example/${at}`,
        }));
        const { candidates: plainOnes, question } = questionAbout('heron pond', pages);
        const candidates = plainOnes.map((candidate, at): Candidate => {
          return { ...candidate, source: () => rows[at]?.source ?? 1 };
        });
        const few = await rerank(candidates, question, now, wanted);
        const whole = await rerank(candidates, question, now);
        expect(few.map(plain)).toEqual(whole.slice(0, wanted).map(plain));
        expect(whole.map(({ hit, factors }) => [hit.id, factors().source])).toEqual(
          expect.arrayContaining(plainOnes.map(({ hit }, at) => [hit.id, rows[at]?.source])),
        );
      },
    ),
    { numRuns: 100 },
  );
});

test('of many pages only the bodies of the best few are read, and the others are all there', async () => {
  const pages = Array.from({ length: 30 }, (_, n) => ({ url: `https://${n}.example/`, body: 'heron' }));
  const { candidates, question, read } = questionAbout('heron', pages);
  expect(await rerank(candidates, question, now)).toHaveLength(30);
  expect(read).toHaveLength(15);
});

test('a body is not read that cannot bring its page among the best few', async () => {
  const pages = [9, 8, 1, 0.5].map((score) => ({ score, url: `https://${score}.example/`, body: 'heron' }));
  const { candidates, question, read } = questionAbout('heron', pages);
  expect(await rerank(candidates, question, now, 2)).toHaveLength(2);
  expect(read).toEqual(['https://9.example/', 'https://8.example/']);
});

test('every candidate comes back once, best first, whatever the pages are', async () => {
  const page = fc.record({
    url: fc.constantFrom('a', 'b', 'c').map((host) => `https://${host}.example/`),
    path: fc.nat(1000),
    title: fc.constantFrom('heron', 'pond', '树 heron'),
    body: fc.constantFrom('heron pond', 'heron', '', 'pond x heron', '树'),
  });
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(page, { selector: ({ url, path }) => url + path }), async (pages) => {
      const ranked = await rerankPages(
        'heron pond',
        pages.map(({ url, path, ...rest }) => ({ ...rest, url: `${url}${path}` })),
      );
      expect(ranked).toHaveLength(pages.length);
      expect(new Set(ranked.map(({ hit }) => hit.id)).size).toBe(pages.length);
      for (const [at, { score }] of ranked.entries())
        expect(score).toBeLessThanOrEqual(ranked[at - 1]?.score ?? Infinity);
    }),
  );
});

test('candidates that may not be read are all there, in the order of what is known without their bodies', async () => {
  const pages = [5, 4, 3, 2].map((score) => ({ score, url: `https://${score}.example/`, body: 'heron' }));
  const { candidates, question } = questionAbout('heron', pages);
  const [first, ...others] = candidates as [Candidate, ...Candidate[]];
  const unread = others.map((candidate): Candidate => ({ ...candidate, read: () => 'unread' }));
  const ranked = await rerank([first, ...unread], question, now);
  expect(ranked.map(({ hit }) => hit.score)).toEqual([5, 4, 3, 2]);
  expect(ranked.map(({ marks }) => marks === undefined)).toEqual([false, true, true, true]);
  expect(ranked[1]?.factors()).toMatchObject({ window: 1, phrase: 1, copy: 1 });
});
