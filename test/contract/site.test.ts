import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createParameterReader } from '../../src/contract/parameters.ts';
import { SearchParams } from '../../src/contract/search.ts';
import { openApiDocument } from '../../src/http/openapi/openapi.ts';
import { parseSites } from '../../src/query/site.ts';

const read = createParameterReader(SearchParams);
const takes = (site: string): boolean => {
  try {
    return read({ q: 'x', site }).q === 'x';
  } catch {
    return false;
  }
};

const schema = openApiDocument('1.2.3').paths['/api/v1/search']?.get?.parameters.find(
  ({ name }) => name === 'site',
)?.schema;

describe('the parameter site', () => {
  test.each([
    ...['example.com', 'EXAMPLE.com.', 'docs.python.org', 'gov', 'localhost:8080', 'my_host', '2fa-server'],
    ...[
      'https://user:secret@example.com:8443/',
      '//example.com',
      '*.example.com',
      '.example.com',
      '3com.com',
    ],
    ...[
      'b\u00fccher.example',
      '\u65e5\u672c\u8a9e\u3002jp',
      'xn--bcher-kva.example',
      '127.0.0.1',
      '[::1]:8080',
    ],
    ...['a b', 'a,b', 'a.example, https://b.example:80/x', 'user:pass@a.example b.example/x, c.example'],
    ...['example.com/docs/', 'example.com/a b?x=1#y', 'medium.com/@user', ' example.com ', '', ' '],
    ...['a.example#, b.example,/', 'a.example/x, b.example ?y'],
  ])('takes %j', (site) => {
    expect(takes(site)).toBe(true);
    expect(site.trim() === '' || parseSites(site) !== undefined).toBe(true);
    expect(site).toMatch(new RegExp(schema?.pattern ?? expect.unreachable()));
  });

  test.each([
    '0'.repeat(2048),
    '2024',
    '1.2',
    '1.2.3.256',
    'a,',
    ',a',
    '[',
    '%',
    '/',
    '*.',
    'http://',
    'a|b',
  ])('refuses %j by the pattern that OpenAPI names', (site) => {
    expect(() => read({ q: 'x', site })).toThrow('site: must be a domain, e.g. example.com');
    expect(site).not.toMatch(new RegExp(schema?.pattern ?? expect.unreachable()));
  });

  test('takes no ASCII that the engine refuses', () => {
    const letters = fc.constantFrom(...'aZ09-_.:/@*#? ,%[]');
    fc.assert(
      fc.property(fc.string({ unit: letters, maxLength: 14 }), (text) => {
        // A port above 65535, an odd address in brackets, a host of hexadecimal are left to the engine.
        fc.pre(!/[[\]%]|:\d{5}|0x/i.test(text) && takes(text));
        expect([text, text.trim() === '' || parseSites(text) !== undefined]).toEqual([text, true]);
      }),
      { numRuns: 3000 },
    );
  });

  test('takes every domain, as part of a URL too', () => {
    const before = fc.constantFrom('', '*.', '//', 'http://', 'https://', 'https://a:b@');
    const after = fc.constantFrom('', '.', ':8080', '/', '/docs', '/a b', '/x@y', '?q=1', '#a');
    fc.assert(
      fc.property(before, fc.domain(), after, (scheme, domain, path) => {
        expect([domain, takes(`${scheme}${domain}${path}`)]).toEqual([domain, true]);
      }),
      { numRuns: 500 },
    );
  });

  test('is looked at in linear time', () => {
    const from = performance.now();
    for (const part of ['a', '0', 'a.', '@', '0.', '\u3000', ' ', 'a@', '-', 'a,', 'a@a,', ', '])
      expect(takes(`${part.repeat(100_000)}!`)).toBe(false);
    // Quadratic time would be minutes.
    expect(performance.now() - from).toBeLessThan(10_000);
  });
});
