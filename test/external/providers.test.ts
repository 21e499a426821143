import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { providerNames } from '../../src/external/provider-facts.ts';
import { ProviderError } from '../../src/external/search-provider.ts';
import { documented } from './documented.ts';
import { never, openProvider, request } from './provider-rig.ts';
import { type Behaviour, openService } from './service.ts';

const key = 'k3y-that-nobody-may-see';

async function failureOf(work: Promise<unknown>): Promise<ProviderError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ProviderError);
  return error as ProviderError;
}

describe.each(providerNames)('%s', (name) => {
  const { answer, expected, empty, path, key: keyPlace } = documented[name];

  async function open(behaviour: Behaviour = { body: answer }, options = {}) {
    const service = await openService(behaviour);
    return { service, provider: openProvider(name, service.origin, { key, ...options }) };
  }

  test('reads the documented answer, without the result that is odd', async () => {
    const { service, provider } = await open();
    const { results } = await provider.search(request('tokio runtime'), never);
    expect(results).toEqual(expected);
    const asked = service.asked[0];
    expect(asked?.path).toBe(path);
    expect(asked?.headers['user-agent']).toBe('Gleaner/0.0.0 (+test@example.org)');
    expect(`${JSON.stringify(asked?.json)} ${JSON.stringify(asked?.parameters)}`).toContain('tokio runtime');
  });

  test('sends its key where it belongs and nowhere else', async () => {
    const { service, provider } = await open();
    await provider.search(request('tokio'), never);
    const { headers = {}, parameters = {}, json, path: asked } = service.asked[0] ?? {};
    const text = JSON.stringify([headers, parameters, json, asked]);
    const places = text.split(key).length - 1;
    expect(places).toBe(keyPlace ? 1 : 0);
    if (!keyPlace) return;
    if ('parameter' in keyPlace) expect(parameters[keyPlace.parameter]).toBe(key);
    else expect(headers[keyPlace.header]).toBe(keyPlace.value(key));
  });

  test('an answer without results is no failure', async () => {
    const { provider } = await open({ body: empty });
    const answered = await provider.search(request('tokio'), never);
    expect(answered).toMatchObject({ results: [], more: false });
  });

  test('an answer that is packed is read, too', async () => {
    const { provider } = await open((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(gzipSync(JSON.stringify(answer)));
      return null;
    });
    expect((await provider.search(request('tokio'), never)).results).toEqual(expected);
  });

  test.each([
    ['401', { status: 401, body: { error: key } }, 'unauthorized'],
    ['429', { status: 429, headers: { 'retry-after': '7' }, body: { error: key } }, 'limited'],
    ['500', { status: 500, body: key }, 'unavailable'],
    ['502 from a proxy', { status: 502, body: '<html>bad gateway</html>' }, 'unavailable'],
    [
      'a redirect',
      { status: 302, headers: { location: `https://elsewhere.example/?k=${key}` } },
      'malformed',
    ],
    ['HTML', { body: `<!doctype html><title>${key}</title>` }, 'malformed'],
    ['JSON of another form', { body: { surprise: [key] } }, 'malformed'],
    ['null', { body: 'null' }, 'malformed'],
    ['half of the answer', { body: JSON.stringify(answer).slice(0, -9) }, 'malformed'],
    ['nothing', { body: '' }, 'malformed'],
  ] as const)('%s is a failure of its kind, which does not repeat the key', async (_, reply, kind) => {
    const { provider } = await open(reply);
    const error = await failureOf(provider.search(request('tokio'), never));
    expect(error.kind).toBe(kind);
    expect(`${error.message} ${error.stack} ${JSON.stringify(error)}`).not.toContain(key);
    if (kind === 'limited') expect(error.retryAfterSeconds).toBe(7);
  });

  test('403 says what to do', async () => {
    const { provider } = await open({ status: 403, body: {} });
    const error = await failureOf(provider.search(request('tokio'), never));
    expect(['forbidden', 'unauthorized']).toContain(error.kind);
    expect(error.message).toMatch(/403.*(?:check|add) /);
  });

  test('an answer without end is cut off at the limit', async () => {
    const { provider, service } = await open(
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const more = () => {
          while (response.write('['.repeat(65_536)));
          response.once('drain', more);
        };
        more();
        return null;
      },
      { maxBytes: 200_000 },
    );
    expect((await failureOf(provider.search(request('tokio'), never))).kind).toBe('too_large');
    await expect.poll(service.givenUp).toBe(1);
  });

  test('an answer that says it is too long is not read', async () => {
    const { provider, service } = await open(
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100000000' });
        response.write('[');
        return null;
      },
      { maxBytes: 200_000 },
    );
    expect((await failureOf(provider.search(request('tokio'), never))).kind).toBe('too_large');
    await expect.poll(service.givenUp).toBe(1);
    service.behave({ body: answer });
    expect((await provider.search(request('tokio'), never)).results).toEqual(expected);
  });

  test('a packed answer that grows beyond the limit is not unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(5_000_000, 32));
    const { provider } = await open(
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
        response.end(bomb);
        return null;
      },
      { maxBytes: 200_000 },
    );
    expect((await failureOf(provider.search(request('tokio'), never))).kind).toBe('too_large');
  });

  test('giving up closes the connection to a service that does not answer', async () => {
    const stop = new AbortController();
    const { provider, service } = await open(() => {
      stop.abort(new Error('enough'));
      return null;
    });
    await expect(provider.search(request('tokio'), stop.signal)).rejects.toThrow('enough');
    await expect.poll(service.givenUp).toBe(1);
  });

  test('an answer that comes byte by byte is given up in the middle, and its connection closed', async () => {
    const stop = new AbortController();
    const { provider, service } = await open((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const drip = setInterval(() => response.write(' '), 5);
      response.once('close', () => clearInterval(drip));
      setTimeout(() => stop.abort(new Error('enough')), 40);
      return null;
    });
    await expect(provider.search(request('tokio'), stop.signal)).rejects.toThrow('enough');
    await expect.poll(service.givenUp).toBe(1);
  });

  test('a connection that breaks is tried once more, and only once', async () => {
    let questions = 0;
    const { provider, service } = await open((_, response) => {
      questions++;
      if (questions > 1) return { body: answer };
      response.destroy();
      return null;
    });
    expect((await provider.search(request('tokio'), never)).results).toEqual(expected);
    service.behave((_, response) => {
      questions++;
      response.destroy();
      return null;
    });
    questions = 0;
    expect((await failureOf(provider.search(request('tokio'), never))).kind).toBe('connection');
    expect(questions).toBe(2);
  });

  test('nobody there is a failure to connect', async () => {
    const provider = openProvider(name, 'http://127.0.0.1:1', { key });
    const error = await failureOf(provider.search(request('tokio'), never));
    expect(error.kind).toBe('connection');
    expect(error.message).not.toMatch(/127\.0\.0\.1|http/);
  });

  test('no result is shown from an address that cannot be visited', async () => {
    const hostile = JSON.stringify(answer).replaceAll(
      /https:\/\/(?:docs\.rs|stackoverflow\.com\/questions\/2|example\.jp)/g,
      'javascript://x',
    );
    const { provider } = await open({ body: hostile });
    const { results } = await provider.search(request('tokio'), never);
    for (const { url } of results) expect(url).toMatch(/^https:/);
  });

  test('passes on what it says it supports, and a query of operators never breaks it', async () => {
    const { provider, service } = await open();
    const { operators, timeRange, lang } = provider.supports;
    // A wiki and a forum hold no files, so asking them for one is of no use.
    const file = operators.filetype ? 'filetype:pdf' : '';
    const asked = request(`"async runtime" tokio -python intitle:rust (futures OR mio) ${file}`, {
      lang: 'en',
      timeRange: '7d',
    });
    expect(provider.unfit(asked)).toBeUndefined();
    await provider.search(asked, never);
    const { parameters = {}, json } = service.asked[0] ?? {};
    const sent = JSON.stringify([parameters, json]).replaceAll('\\"', '"');
    expect(sent).toMatch(/tokio/);
    expect(sent.includes('"async runtime"')).toBe(operators.phrase);
    expect(/intitle:rust|"title":"rust"/.test(sent)).toBe(operators.intitle);
    expect(sent.includes('filetype:pdf')).toBe(operators.filetype);
    expect(/futures OR mio/.test(sent)).toBe(operators.or);
    expect(/-python|"qm":"python"/.test(sent)).toBe(operators.exclude);
    if (timeRange) expect(sent).toMatch(/week|pw|20261113|2026-11-13|qdr:w|created_at|fromdate|7d/);
    // Which Wikipedia is asked is told by its address, see mediawiki.test.ts.
    if (lang && name !== 'wikipedia') expect(sent).toMatch(/"en"|stackoverflow\.com/);
  });
});
