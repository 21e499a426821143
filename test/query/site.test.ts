import { describe, expect, it } from 'vitest';
import { fileTypesOf } from '../../src/query/file-types.ts';
import { parseSite, siteMatches } from '../../src/query/site.ts';

function within(value: string, url: string): boolean {
  const site = parseSite(value);
  return site !== undefined && siteMatches(site, url);
}

describe('rule 5, the value of site:', () => {
  it.each([
    ['example.com', 'example.com', ''],
    ['EXAMPLE.com.', 'example.com', ''],
    ['https://user:secret@example.com:8443/', 'example.com', ''],
    ['//example.com', 'example.com', ''],
    ['*.example.com', 'example.com', ''],
    ['.example.com', 'example.com', ''],
    ['bücher.example', 'xn--bcher-kva.example', ''],
    ['日本語。jp', 'xn--wgv71a119e.jp', ''],
    ['gov', 'gov', ''],
    ['localhost:8080', 'localhost', ''],
    ['127.0.0.1', '127.0.0.1', ''],
    ['example.com/docs/', 'example.com', '/docs'],
    ['example.com/a b?x=1#y', 'example.com', '/a%20b'],
    ['medium.com/@user', 'medium.com', '/@user'],
  ])('%s', (value, host, path) => {
    expect(parseSite(value)).toEqual({ kind: 'site', host, path });
  });
  it.each(['', ' ', '/', '///', '*.', '2024', '1.2', 'a b', '[', '%', '\ud800', 'http://'])(
    '%j is no site',
    (value) => {
      expect(parseSite(value)).toBeUndefined();
    },
  );
  it('matches the host and every subdomain at a label border', () => {
    expect(within('example.com', 'https://example.com/x')).toBe(true);
    expect(within('example.com', 'http://www.docs.example.com/')).toBe(true);
    expect(within('example.com', 'https://notexample.com/')).toBe(false);
    expect(within('www.example.com', 'https://example.com/')).toBe(false);
    expect(within('gov', 'https://www.nasa.gov/')).toBe(true);
    expect(within('bücher.example', 'https://BÜCHER.example./x')).toBe(true);
  });
  it('matches a path at a segment border', () => {
    expect(within('example.com/docs', 'https://example.com/docs')).toBe(true);
    expect(within('example.com/docs', 'https://a.example.com/docs/x?y')).toBe(true);
    expect(within('example.com/docs', 'https://example.com/docs2')).toBe(false);
    expect(within('example.com/docs', 'https://example.com/')).toBe(false);
  });
  it('matches nothing that is no URL', () => {
    expect(within('example.com', 'example.com')).toBe(false);
  });
});

describe('rule 6, the value of filetype:', () => {
  it.each([
    ['pdf', ['pdf']],
    ['DOC', ['doc', 'docx', 'odt']],
    ['ppt', ['ppt', 'pptx', 'odp']],
    ['xls', ['xls', 'xlsx', 'ods']],
  ])('%s', (value, types) => {
    expect(fileTypesOf(value)).toEqual(types);
  });
  it.each(['zip', 'docx', '', 'constructor', '__proto__'])('%j matches nothing', (value) => {
    expect(fileTypesOf(value)).toEqual([]);
  });
});
