import { writeFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type HttpService, openHttpService } from '../../src/cli/http-service.ts';
import { readConfig } from '../../src/config/config.ts';
import { pack } from '../../src/index/packed/pack.ts';
import { indexFolderOf } from '../../src/index/packed/read-ahead.ts';
import { createAdmissionControl } from '../../src/limits/admission.ts';
import { type ApiKeyRecord, apiKeysTable, makeApiKey } from '../../src/limits/api-keys.ts';
import type { Page } from '../../src/page.ts';
import { silentLog } from '../../src/runtime.ts';
import { examplePage } from '../pages.ts';
import { htmlPage, openSite } from '../site.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const words = ['oak', 'elm', 'ash', 'yew', 'fir'];
/** Every third page is private; the second of three has a private neighbour that says the same. */
const pages: readonly Page[] = Array.from({ length: 30 }, (_, index) => {
  const [first, second] = [words[index % 5], words[(index * 3 + 1) % 5]];
  return examplePage({
    url: `https://${index % 2 ? 'docs' : 'wiki'}.example/${index}`,
    title: `Notes ${index}`,
    body: `The ${first} and the ${second} of wood ${'x'.repeat(index + 1)}, and ${index % 3 ? 'bark' : 'zirconium'}.`,
    ...(index % 3 === 0 && { isPrivate: true }),
  });
});
const privatePages = pages.filter(({ isPrivate }) => isPrivate);
const publicPages = pages.filter(({ isPrivate }) => !isPrivate);
const [secretPage = pages[0] as Page] = privatePages;

/** The fields of the answers that are looked at. */
interface AnyAnswer {
  readonly total: number;
  readonly results: readonly { readonly id: string }[];
  readonly partial_matches: readonly { readonly id: string }[];
  readonly did_you_mean?: string;
  readonly detail: string;
  readonly title: string;
  readonly pages: number;
  readonly host_count: number;
  readonly hosts: readonly object[];
}

interface ServiceOptions {
  readonly pages?: readonly Page[];
  readonly setting?: string;
  readonly packed?: 'none' | 'half' | 'all';
  readonly more?: Record<string, string>;
}

/** The routes of `gleaner serve` over these pages, with a key. */
async function openService({
  pages: stored = pages,
  setting,
  packed = 'none',
  more = {},
}: ServiceOptions = {}) {
  const config = readConfig({
    GLEANER_DATA: temporaryFolder(),
    GLEANER_EXTERNAL: 'off',
    GLEANER_METRICS: 'public',
    GLEANER_SEARCH_LIMIT: 'off',
    GLEANER_CONTENT_LIMIT: 'off',
    GLEANER_ALLOW_PRIVATE: '1',
    ...(setting !== undefined && { GLEANER_PRIVATE_PAGES: setting }),
    ...more,
  });
  const admission = createAdmissionControl(config.limits);
  const service: HttpService = await openHttpService({
    config,
    log: silentLog,
    admission,
    notReady: () => undefined,
  });
  const { app, routes } = service;
  onTestFinished(() => app.close());
  const packNow = async () => {
    pack(app.store, indexFolderOf(config.dataFolder));
    await app.index.refresh();
  };
  const half = Math.floor(stored.length / 2);
  for (const page of stored.slice(0, half)) await app.pageWriter.put(page);
  if (packed !== 'none') await packNow();
  for (const page of stored.slice(half)) await app.pageWriter.put(page);
  if (packed === 'all') await packNow();
  const { id, text: key, hash } = makeApiKey();
  const record = {
    name: 'team',
    hash,
    rate: { perMinute: 6000, burst: 6000 },
    createdAt: 0,
    expiresAt: null,
    revokedAt: null,
  };
  await app.store.write((writer) => writer.put(app.store.table<ApiKeyRecord>(apiKeysTable), id, record));
  const ask = (path: string, { withKey = false, ...init }: RequestInit & { withKey?: boolean } = {}) =>
    routes.request(path, {
      ...init,
      headers: {
        ...(init.headers as Record<string, string>),
        ...(withKey && { authorization: `Bearer ${key}` }),
      },
    });
  const json = async (path: string, options?: RequestInit & { withKey?: boolean }) =>
    (await (await ask(path, options)).json()) as AnyAnswer;
  const mcp = async (name: string, args: object, withKey = false): Promise<string> => {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: args },
    });
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    return (await ask('/mcp', { method: 'POST', body, headers, withKey })).text();
  };
  return { ...service, ask, json, mcp };
}

type Service = Awaited<ReturnType<typeof openService>>;
const totalOf = async ({ json }: Service, q: string, withKey = false) =>
  (await json(`/api/v1/search?q=${encodeURIComponent(q)}`, { withKey })).total;

const queries = [
  'oak',
  'oak elm',
  'zirconium',
  'wood -bark',
  'oak OR yew',
  'site:docs.example wood',
  'title:notes',
  '"of wood"',
  'zirconium quartz',
];

describe.each(['none', 'half', 'all'] as const)('without a key, with the index packed: %s', (packed) => {
  test('searches answer as if there were public pages alone, with exact totals; with a key all are found', async () => {
    const closed = await openService({ packed });
    const open = await openService({ packed, pages: publicPages });
    for (const q of queries) {
      const path = `/api/v1/search?limit=50&partial=true&q=${encodeURIComponent(q)}`;
      const [shown, wanted] = [await closed.json(path), await open.json(path)];
      const ids = (list: AnyAnswer['results']) => list.map(({ id }) => id).sort();
      expect([q, shown.total, ids(shown.results)]).toEqual([q, wanted.total, ids(wanted.results)]);
      expect([q, ids(shown.partial_matches)]).toEqual([q, ids(wanted.partial_matches)]);
    }
    expect(await totalOf(closed, 'wood')).toBe(publicPages.length);
    expect(await totalOf(closed, 'wood', true)).toBe(pages.length);
    expect(await totalOf(closed, 'zirconium')).toBe(0);
    expect(await totalOf(closed, 'zirconium', true)).toBe(privatePages.length);
  });
});

test('no other door shows them: content, reader, suggestions, other APIs, MCP, corrections, totals', async () => {
  const service = await openService();
  const { ask, json, mcp } = service;
  const unknown = await json('/api/v1/content/00000000000000000000000000');
  const refused = await ask(`/api/v1/content/${secretPage.id}`);
  expect(refused.status).toBe(404);
  expect(((await refused.json()) as AnyAnswer).detail).toBe(unknown.detail);
  expect((await json(`/api/v1/content/${secretPage.id}`, { withKey: true })).title).toBe(secretPage.title);
  expect((await ask(`/page/${secretPage.id}`)).status).toBe(404);
  expect((await ask(`/page/${secretPage.id}?format=markdown`)).status).toBe(404);
  expect((await json('/api/v1/search?partial=true&q=zirconiun')).did_you_mean).toBeUndefined();
  expect((await json('/api/v1/search?partial=true&q=zirconiun', { withKey: true })).did_you_mean).toBe(
    'zirconium',
  );

  const doors = async (withKey: boolean): Promise<string[]> => [
    await (await ask('/suggest?q=notes+zirconium', { withKey })).text(),
    await (await ask('/search?q=zirconium', { withKey })).text(),
    await (await ask('/search?format=json&q=zirconium', { withKey })).text(),
    await (
      await ask('/openwebui/search', {
        method: 'POST',
        body: JSON.stringify({ query: 'zirconium', count: 20 }),
        headers: { 'content-type': 'application/json' },
        withKey,
      })
    ).text(),
    await mcp('web_search', { q: 'zirconium' }, withKey),
    await mcp('fetch_content', { id: secretPage.id }, withKey),
    await mcp('fetch_content', { url: secretPage.url }, withKey),
  ];
  const titles = privatePages.map(({ title }) => new RegExp(`${title}\\b`));
  const shows = (text: string) => titles.some((title) => title.test(text));
  expect((await doors(false)).map(shows)).toEqual(Array(7).fill(false));
  expect((await doors(true)).map(shows)).toEqual(Array(7).fill(true));

  const beside = async (withKey: boolean) => {
    const { id } = publicPages[0] as Page;
    const text = await (await ask(`/page/${id}`, { withKey })).text();
    return privatePages.some((page) => text.includes(`/page/${page.id}`));
  };
  expect([await beside(false), await beside(true)]).toEqual([false, true]);
});

test('the state of the service counts and names without them', async () => {
  const stored = [
    ...publicPages,
    examplePage({ url: 'https://secret.example/', title: 'Quartz', isPrivate: true }),
  ];
  const { json } = await openService({ pages: stored });
  const state = async (withKey: boolean) => {
    const { pages: count, hosts, host_count } = await json('/api/v1/status', { withKey });
    return [count, host_count, JSON.stringify(hosts).includes('secret.example')];
  };
  expect(await state(false)).toEqual([publicPages.length, 2, false]);
  expect(await state(true)).toEqual([stored.length, 3, true]);
  expect((await json('/readyz')).pages).toBe(publicPages.length);
});

test.each([
  ['show', pages.length, pages.length],
  ['keys', publicPages.length, pages.length],
  ['hide', publicPages.length, publicPages.length],
])('GLEANER_PRIVATE_PAGES=%s', async (setting, without, withKey) => {
  const service = await openService({ setting });
  expect([await totalOf(service, 'wood'), await totalOf(service, 'wood', true)]).toEqual([without, withKey]);
});

test('a page that is private no more, or has gone, is counted so', async () => {
  const { app, json } = await openService();
  const { isPrivate: _, ...open } = secretPage;
  await app.pageWriter.put(open);
  expect((await json('/readyz')).pages).toBe(publicPages.length + 1);
  await app.pageWriter.remove((privatePages[1] as Page).id);
  expect((await json('/readyz')).pages).toBe(publicPages.length + 1);
  expect(app.engine.status().pages).toBe(pages.length - 1);
});

test('what is read by its URL goes with credentials for holders of a key, and without for all others', async () => {
  const site = await openSite({
    '/a': ({ headers }) => (headers['x-docs'] === 's3cret' ? htmlPage('Inside') : { status: 401 }),
    '/b': ({ headers }) => (headers['x-docs'] === 's3cret' ? htmlPage('Beside') : { status: 401 }),
  });
  const file = `${temporaryFolder()}/credentials`;
  writeFileSync(file, `${site.origin}/ X-Docs: env:DOCS\n`);
  const more = {
    GLEANER_LEARN: '1',
    GLEANER_CREDENTIALS: file,
    DOCS: 's3cret',
    GLEANER_TOOLS: 'web_search,fetch_content,crawl_site',
  };
  const { mcp } = await openService({ pages: [], more });
  const shown = () => site.hits.filter(({ headers }) => headers['x-docs'] !== undefined).length;
  expect(await mcp('fetch_content', { url: site.url('/a') })).toContain('status 401');
  await mcp('crawl_site', { url: site.url('/b') });
  expect(shown()).toBe(0);
  expect(await mcp('fetch_content', { url: site.url('/a') }, true)).toContain('Inside');
  expect(shown()).toBeGreaterThan(0);
  const asked = site.hits.length;
  expect(await mcp('fetch_content', { url: site.url('/a') })).not.toContain('Inside');
  expect(site.hits.length).toBe(asked);
});
