import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import { createToolCall } from '../../src/mcp/tool-call.ts';
import { silentLog } from '../../src/runtime.ts';
import { fetchContent } from '../../tools/fetch-content.ts';
import { webSearch } from '../../tools/web-search.ts';
import { heronAlmanac, openLibrary, owlNotes } from './library.ts';

let engine: Engine;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ engine, close } = await openLibrary());
});
afterAll(() => close());

interface Seen {
  readonly total?: number;
  readonly url?: string;
  readonly notice?: string;
  readonly results?: readonly { readonly url: string; readonly score: number }[];
}

async function call(name: 'web_search' | 'fetch_content', args: Record<string, unknown>): Promise<Seen> {
  const parts = { engine: async () => engine, log: silentLog };
  const { signal } = new AbortController();
  const answer =
    name === 'web_search'
      ? await createToolCall(webSearch, parts)(args, { signal })
      : await createToolCall(fetchContent, parts)(args, { signal });
  if (answer.isError) throw new Error(JSON.stringify(answer.content));
  return answer.structuredContent as Seen;
}

const urlsOf = ({ results = [] }: Seen) => results.map(({ url }) => url).sort();
const both = [heronAlmanac.url, owlNotes.url].sort();

test.each([
  [{ site: 'birds.example,db.example' }, both],
  [{ include_domains: ['birds.example', 'db.example'] }, both],
  [{ include_domains: '["db.example"]' }, []],
  [{ exclude_domains: ['db.example'] }, both],
  [{ exclude_domains: 'birds.example, other.example' }, []],
  [{ blocked_domains: ['birds.example'] }, []],
  [{ time_range: 'day' }, []],
  [{ freshness: 'py' }, both],
])('%j of a search for herons is understood', async (args, urls) => {
  const seen = await call('web_search', { q: 'heron', ...args });
  expect(urlsOf(seen)).toEqual(urls);
  expect(seen.notice ?? '').not.toContain('ignored');
});

test('an argument that is not known is named in a notice, with those that are', async () => {
  const { notice } = await call('web_search', { q: 'heron', safe: true, 'x\nforged': 1 });
  expect(notice).toBe(
    'Not known and ignored: safe. The parameters are q, limit, offset, lang, time_range, site, lang_priority, passages.',
  );
  expect((await call('fetch_content', { id: owlNotes.id, depth: 'full' })).notice).toContain(
    'ignored: depth.',
  );
});

test('how a query was read is in a notice', async () => {
  const { notice, total } = await call('web_search', { q: 'heron NOT owl' });
  expect([notice, total]).toEqual(['NOT was read as the - before the next word.', 1]);
});

test.each([
  { id: owlNotes.id.toUpperCase() },
  { url: 'birds.example/owl' },
  { url: '//birds.example/owl' },
  { id: 'birds.example/owl' },
  { id: 'https://birds.example/owl' },
])('%j is understood', async (args) => {
  expect((await call('fetch_content', args)).url).toBe(owlNotes.url);
});

test('scores have at most four significant digits', async () => {
  for (const q of ['heron', 'owl', '数据库']) {
    const { results = [] } = await call('web_search', { q });
    for (const { score } of results)
      expect(String(score).replace(/^0\.0*|\D/g, '').length).toBeLessThanOrEqual(4);
    expect(results.length).toBeGreaterThan(0);
  }
});
