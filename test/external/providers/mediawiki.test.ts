import { expect, test } from 'vitest';
import { createJsonClient } from '../../../src/external/json-client.ts';
import { createMediaWiki, createWikipedia } from '../../../src/external/providers/mediawiki.ts';
import { ProviderError } from '../../../src/external/search-provider.ts';
import { createOutgoing } from '../../../src/runtime.ts';
import { documented } from '../documented.ts';
import { never, now, request } from '../provider-rig.ts';
import { openService } from '../service.ts';

async function open(body: unknown = documented.wikipedia.empty) {
  const service = await openService({ body });
  const fetchJson = createJsonClient({
    outgoing: createOutgoing({ http: '', https: '', none: '' }),
    userAgent: 'Gleaner/0.0.0',
  });
  const parts = { fetchJson, now: () => now };
  return {
    service,
    wikipedia: createWikipedia({ ...parts, baseUrl: `${service.origin}/{lang}/w/api.php` }),
    wiki: createMediaWiki({ ...parts, baseUrl: `${service.origin}/w/api.php` }),
  };
}

test.each([
  ['tokio runtime', undefined, 'en'],
  ['数据库', undefined, 'zh'],
  ['データベース', undefined, 'ja'],
  ['wie ist das gemacht', undefined, 'de'],
  ['tokio', 'fr', 'fr'],
  ['site:es.wikipedia.org base de datos', undefined, 'es'],
  ['site:de.m.wikipedia.org Datenbank', undefined, 'de'],
  ['site:wikipedia.org datos', undefined, 'en'],
])('%s in %s is looked for in the Wikipedia of the language %s', async (q, lang, expected) => {
  const { service, wikipedia } = await open();
  await wikipedia.search(request(q, lang ? { lang } : {}), never);
  expect(service.asked[0]?.path).toBe(`/${expected}/w/api.php`);
});

test('it is not asked for pages that it cannot have', async () => {
  const { wikipedia, wiki } = await open();
  expect(wikipedia.unfit(request('site:docs.rs tokio'))).toBe('it has no pages of that site');
  expect(wikipedia.unfit(request('tokio', { lang: 'xx' }))).toMatch(/no large Wikipedia.* xx/);
  expect(wikipedia.unfit(request('tokio filetype:pdf'))).toBe('it has no files of that type');
  expect(wikipedia.unfit(request('site:de.wikipedia.org tokio', { lang: 'de' }))).toBeUndefined();
  expect(wikipedia.unfit(request('site:org tokio'))).toBeUndefined();
  expect(wiki.unfit(request('site:en.wikipedia.org tokio'))).toBe('it has no pages of that site');
  expect(wiki.unfit(request('site:wikipedia.org'))).toBe('it has no pages of that site');
});

test.each([
  ['ratelimited', 'limited'],
  ['maxlag', 'unavailable'],
  ['internal_api_error_DBQueryError', 'unavailable'],
  ['readapidenied', 'forbidden'],
  ['badvalue', 'malformed'],
])('the error %s, which comes with status 200, is a failure: %s', async (code, kind) => {
  const { wikipedia } = await open({ error: { code, info: 'secret words of the server' } });
  const error = await wikipedia.search(request('tokio'), never).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ProviderError);
  expect(error).toMatchObject({ kind });
  expect((error as Error).message).not.toContain('secret');
});
