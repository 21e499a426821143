import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { liveCredentials, readCredentials } from '../../../src/app/live/credentials-file.ts';
import { withoutSecrets } from '../../../src/cli/arguments/command-name.ts';
import { cookieHeader, parseCookieFile } from '../../../src/crawl/credentials/cookie-file.ts';
import { createCredentials, mayCarryOn } from '../../../src/crawl/credentials/credentials.ts';
import { parseHeaderLine } from '../../../src/crawl/credentials/header-line.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

let folder = '';
beforeEach(() => {
  folder = temporaryFolder();
  source.folder = folder;
});
const source = { folder, variable: (name: string) => ({ TOKEN: 's3cret\n', PAIR: 'ann:pass word' })[name] };

describe('a header', () => {
  test.each([
    ['Authorization: Bearer abc', { name: 'authorization', value: 'Bearer abc' }],
    ['X-Key:abc', { name: 'x-key', value: 'abc' }],
    ['X-Key: env:TOKEN', { name: 'x-key', value: 's3cret' }],
    ['Authorization: Bearer env:TOKEN', { name: 'authorization', value: 'Bearer s3cret' }],
    ['Authorization: Basic env:PAIR', { name: 'authorization', value: 'Basic YW5uOnBhc3Mgd29yZA==' }],
    ['Authorization: Basic YW5uOng=', { name: 'authorization', value: 'Basic YW5uOng=' }],
  ])('%s', (line, header) => {
    expect(parseHeaderLine(line, source)).toEqual(header);
  });

  test('may come from a file', () => {
    writeFileSync(join(folder, 'token'), 'of a file\n');
    expect(parseHeaderLine('X-Key: file:token', source).value).toBe('of a file');
  });

  test.each([
    ['s3cret', /a header is "Name: value"/],
    ['X-Key: s3cret\r\nHost: evil.example', /X-Key has a line end/],
    ['X-Key: s3cret\u0000', /X-Key has a line end or another character/],
    ['X-Kéy: s3cret', /letters, digits and hyphens/],
    ['Host: s3cret', /Host cannot be set/],
    ['cookie: s3cret=1', /cookie cannot be set: give cookies as a file/],
    ['Content-Length: 3', /Content-Length cannot be set/],
    ['Transfer-Encoding: chunked', /Transfer-Encoding cannot be set/],
    ['User-Agent: s3cret', /User-Agent cannot be set/],
    ['If-None-Match: s3cret', /If-None-Match cannot be set/],
    ['Proxy-Authorization: s3cret', /Proxy-Authorization cannot be set/],
    ['X-Key:', /X-Key has no value/],
    ['X-Key: env:ABSENT', /variable ABSENT is not set/],
    ['X-Key: file:absent', /absent cannot be read \(ENOENT\)/],
    [`X-Key: ${'s3cret'.repeat(2000)}`, /longer than 8192/],
  ])('%j is refused in words without its value', (line, message) => {
    const refusal = () => parseHeaderLine(line, source);
    expect(refusal).toThrow(message);
    expect(refusal).not.toThrow(/s3cret/);
  });

  test('of the command line is left out of the command that goes on', () => {
    expect(
      withoutSecrets([
        '--header',
        'A: s3cret',
        '--header=B: s3cret',
        '--header',
        'C: Bearer env:X',
        's3cret:1',
      ]),
    ).toEqual(['--header', 'A: …', '--header=B: …', '--header', 'C: Bearer env:X', 's3cret:1']);
    expect(withoutSecrets(['--header', 's3cret'])).toEqual(['--header', '…']);
  });
});

describe('cookies.txt', () => {
  const line = (...fields: (string | number)[]) => fields.join('\t');
  const sent = (text: string, url: string, now = 0) =>
    cookieHeader(parseCookieFile(text, 'cookies.txt'), new URL(url), now);

  test.each([
    [
      'its own host',
      line('docs.example', 'FALSE', '/', 'FALSE', 0, 'a', 'b'),
      'http://docs.example/x',
      'a=b',
    ],
    [
      'no subdomain',
      line('docs.example', 'FALSE', '/', 'FALSE', 0, 'a', 'b'),
      'http://x.docs.example/',
      undefined,
    ],
    ['subdomains', line('.docs.example', 'TRUE', '/', 'FALSE', 0, 'a', 'b'), 'http://x.docs.example/', 'a=b'],
    [
      'no other domain',
      line('.docs.example', 'TRUE', '/', 'FALSE', 0, 'a', 'b'),
      'http://evildocs.example/',
      undefined,
    ],
    [
      'no address that ends alike',
      line('.0.0.1', 'TRUE', '/', 'FALSE', 0, 'a', 'b'),
      'http://127.0.0.1/',
      undefined,
    ],
    [
      'its path',
      line('docs.example', 'FALSE', '/in', 'FALSE', 0, 'a', 'b'),
      'http://docs.example/in/x',
      'a=b',
    ],
    [
      'no other path',
      line('docs.example', 'FALSE', '/in', 'FALSE', 0, 'a', 'b'),
      'http://docs.example/inside',
      undefined,
    ],
    ['TLS', line('docs.example', 'FALSE', '/', 'TRUE', 0, 'a', 'b'), 'https://docs.example/', 'a=b'],
    [
      'no plain HTTP',
      line('docs.example', 'FALSE', '/', 'TRUE', 0, 'a', 'b'),
      'http://docs.example/',
      undefined,
    ],
    ['its time', line('docs.example', 'FALSE', '/', 'FALSE', 11, 'a', 'b'), 'http://docs.example/', 'a=b'],
    [
      'no later time',
      line('docs.example', 'FALSE', '/', 'FALSE', 10, 'a', 'b'),
      'http://docs.example/',
      undefined,
    ],
    [
      'HttpOnly',
      `#HttpOnly_${line('docs.example', 'FALSE', '/', 'FALSE', 0, 'a', '')}`,
      'http://docs.example/',
      'a=',
    ],
  ])('a cookie is for %s', (_, text, url, header) => {
    expect(sent(`# Netscape HTTP Cookie File\n\n${text}\n`, url, 10_000)).toBe(header);
  });

  test('the longer path comes first', () => {
    const text = [
      line('d.example', 'FALSE', '/', 'FALSE', 0, 'a', 1),
      line('d.example', 'FALSE', '/x', 'FALSE', 0, 'b', 2),
    ];
    expect(sent(text.join('\r\n'), 'http://d.example/x/')).toBe('b=2; a=1');
  });

  test.each([
    ['fields', 'docs.example s3cret'],
    ['whole top-level domain', line('.example', 'TRUE', '/', 'FALSE', 0, 'a', 's3cret')],
    ['character', line('docs.example', 'FALSE', '/', 'FALSE', 0, 'a', 's3cret; b=c')],
    ['character', line('docs.example', 'FALSE', '/', 'FALSE', 0, 'a b', 's3cret')],
    ['domain and a path', line('docs.example', 'FALSE', 'x', 'FALSE', 0, 'a', 's3cret')],
  ])('a line with wrong %s is named by its number alone', (word, text) => {
    expect(() => sent(`\n${text}`, 'http://docs.example/')).toThrow(
      new RegExp(`^cookies.txt: line 2: .*${word}`),
    );
    expect(() => sent(text, 'http://docs.example/')).not.toThrow(/s3cret/);
  });
});

describe('credentials', () => {
  const header = (value: string) => ({ name: 'authorization', value });
  const docs = { origin: 'https://docs.example', path: '/in', header: header('A') };

  test.each([
    ['https://docs.example/in', true],
    ['https://docs.example/in/a?b', true],
    ['https://docs.example/inside', false],
    ['https://docs.example/', false],
    ['http://docs.example/in', false],
    ['https://docs.example:8443/in', false],
    ['https://docs.example.evil.example/in', false],
    ['https://x.docs.example/in', false],
    ['https://docs.example/in/%2e%2e/out', false],
    ['https://docs.example/in/..%2fout', false],
    ['https://docs.example/in/..%5Cout', false],
    ['https://docs.example/in//out', false],
    ['https://docs.example/in/../out', false],
  ])('for /in of https://docs.example: %s %s', (url, isSent) => {
    const { headersFor } = createCredentials(() => [docs], Date.now);
    expect(headersFor(new URL(url))).toEqual(isSent ? { authorization: 'A' } : undefined);
  });

  test('the longer path decides, then the first', () => {
    const { headersFor } = createCredentials(
      () => [{ origin: docs.origin, path: '', header: header('B') }, docs, { ...docs, header: header('C') }],
      Date.now,
    );
    expect(headersFor(new URL('https://docs.example/in/'))).toEqual({ authorization: 'A' });
    expect(headersFor(new URL('https://docs.example/out'))).toEqual({ authorization: 'B' });
  });

  test.each([
    ['https://a.example/in', 'https://a.example/in/b', true],
    ['https://a.example/', 'https://a.example/in', true],
    ['https://a.example/in', 'https://a.example/', false],
    ['https://evil.example/', 'https://a.example/in', false],
    ['http://a.example/in', 'https://a.example/in', true],
    ['http://a.example:8080/in', 'https://a.example/in', false],
    ['https://a.example:8443/in', 'https://a.example/in', false],
  ])('from %s to %s they may be sent on: %s', (from, to, may) => {
    const has = ({ origin, pathname }: URL) => origin === 'https://a.example' && pathname.startsWith('/in');
    expect(mayCarryOn(new URL(from), new URL(to), has)).toBe(may);
  });
});

describe('the file of credentials', () => {
  const write = (text: string, name = 'credentials') => {
    writeFileSync(join(folder, name), text);
    return { file: join(folder, name), variable: source.variable };
  };

  test('names where values come from', () => {
    write('docs.example\tFALSE\t/\tFALSE\t0\tsid\txyz\n', 'jar.txt');
    const config = write(
      '# ours\nhttps://docs.example/in/ Authorization: Bearer env:TOKEN\nhttp://docs.example cookies: file:jar.txt\n',
    );
    const { headersFor } = liveCredentials(config, { now: () => 0, warn: () => {} }) ?? {
      headersFor: () => ({}),
    };
    expect(headersFor(new URL('https://docs.example/in/a'))).toEqual({ authorization: 'Bearer s3cret' });
    expect(headersFor(new URL('http://docs.example/'))).toEqual({ cookie: 'sid=xyz' });
    expect(headersFor(new URL('https://docs.example/'))).toBeUndefined();
  });

  test.each([
    [
      'https://docs.example/ Authorization: Bearer s3cret',
      /line 1: after the address.*do not stand in this file/,
    ],
    ['https://docs.example/', /line 1: begins with an address/],
    ['https://s3cret:x@docs.example/ X: env:TOKEN', /line 1: begins with an address/],
    ['ftp://docs.example/ X: env:TOKEN', /line 1: begins with an address/],
    ['https://docs.example/ X: env:ABSENT', /line 1: the environment variable ABSENT is not set/],
    ['https://docs.example/ cookies: file:absent', /line 1: .*absent cannot be read/],
    ['https://docs.example/ Host: env:TOKEN', /line 1: the header Host cannot be set/],
  ])('%s is refused', (line, message) => {
    expect(() => readCredentials(write(line))).toThrow(message);
    expect(() => readCredentials(write(line))).toThrow(/^GLEANER_CREDENTIALS: \/[^:]+: line/);
    expect(() => readCredentials(write(line))).not.toThrow(/s3cret/);
  });

  test('is read again, and stays as it was while it is wrong', () => {
    const clock = { ms: 0 };
    const warnings: string[] = [];
    const config = write('https://docs.example/ X: file:value');
    writeFileSync(join(folder, 'value'), 'one');
    const credentials = liveCredentials(config, { now: () => clock.ms, warn: (text) => warnings.push(text) });
    const value = () => credentials?.headersFor(new URL('https://docs.example/'))?.x;
    expect(value()).toBe('one');
    writeFileSync(join(folder, 'value'), 'two');
    expect(value()).toBe('one');
    clock.ms += 10_000;
    expect(value()).toBe('two');
    writeFileSync(join(folder, 'value'), '');
    for (let look = 0; look < 3; look++) {
      clock.ms += 10_000;
      expect(value()).toBe('two');
    }
    expect(warnings).toEqual([
      expect.stringMatching(/header X has no value; the credentials from before stay/),
    ]);
  });
});
