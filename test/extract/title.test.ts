import { describe, expect, test } from 'vitest';
import { pageTitle } from '../../src/extract/title.ts';

const title = (titleTag: string, evidence: Partial<Parameters<typeof pageTitle>[0]> = {}) =>
  pageTitle({ titleTag, headings: [], names: [], siteName: null, host: 'docs.example.org', ...evidence });

describe('pageTitle', () => {
  test('takes off what the heading does not say, and knows it for the site', () => {
    const found = title('json — JSON encoder and decoder — Python 3.11.2 documentation', {
      headings: ['json — JSON encoder and decoder'],
    });
    expect(found).toEqual({ title: 'json — JSON encoder and decoder', site: 'Python 3.11.2 documentation' });
  });

  test('takes off a known site name at either end', () => {
    expect(title('Array - JavaScript | MDN', { siteName: 'MDN' }).title).toBe('Array - JavaScript');
    expect(title('MDN | Array', { siteName: 'MDN' }).title).toBe('Array');
  });

  test('knows the host for a site name', () => {
    expect(title('Pricing | Example.org', { host: 'www.example.org' }).title).toBe('Pricing');
  });

  test('works with the separators of Chinese sites', () => {
    expect(title('武汉的声音-新华网', { siteName: '新华网' }).title).toBe('武汉的声音');
    expect(title('如何优化索引_数据库', { headings: ['如何优化索引'] }).title).toBe('如何优化索引');
  });

  test('leaves a title alone that nothing confirms', () => {
    expect(title('C++ - Rust - Go: a comparison').title).toBe('C++ - Rust - Go: a comparison');
  });

  test('prefers the visible heading when both mean the same', () => {
    expect(title('6 Best Bread Machines, Tested', { headings: ['Our 6 Best Bread Machines'] }).title).toBe(
      'Our 6 Best Bread Machines',
    );
  });

  test('does not take a heading that says something else', () => {
    expect(title('Install Node on Debian', { headings: ['Welcome'] }).title).toBe('Install Node on Debian');
  });

  test('falls back to the heading, then to other names', () => {
    expect(title('', { headings: ['A'], names: ['B'] }).title).toBe('A');
    expect(title('', { names: ['B'] }).title).toBe('B');
  });
});
