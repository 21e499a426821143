import { describe, expect, test } from 'vitest';
import { queryNotices } from '../../src/engine/query-notices.ts';
import { parseQuery } from '../../src/query/parser.ts';
import { parseSites } from '../../src/query/site.ts';

const site = (host: string, path = '') => ({ kind: 'site', host, path });

describe('several sites', () => {
  test.each([
    ['a.example', site('a.example')],
    ['a.example,b.example', { kind: 'any', of: [site('a.example'), site('b.example')] }],
    ['gov, edu', { kind: 'any', of: [site('gov'), site('edu')] }],
    ['a.example b.example', { kind: 'any', of: [site('a.example'), site('b.example')] }],
    [
      'https://a.example/x, https://b.example/',
      { kind: 'any', of: [site('a.example', '/x'), site('b.example')] },
    ],
    ['a.example/x, b.example', { kind: 'any', of: [site('a.example', '/x'), site('b.example')] }],
    // A comma or a space of a path is part of it.
    ['a.example/x,y.html', site('a.example', '/x,y.html')],
    ['a.example/a b', site('a.example', '/a%20b')],
    ['a.example, [', undefined],
  ])('%j', (value, expected) => {
    expect(parseSites(value)).toEqual(expected);
  });

  test('mean OR within q, too', () => {
    expect(parseQuery('oak site:a.example,b.example')).toEqual(
      parseQuery('oak site:a.example OR site:b.example'),
    );
  });
});

describe('operators of other search engines', () => {
  test.each([
    ['oak NOT ash', 'oak -ash'],
    ['oak AND NOT ash', 'oak -ash'],
    ['oak NOT (ash beech)', 'oak -(ash beech)'],
    ['oak NOT "silver ash"', 'oak -"silver ash"'],
    ['oak NOT site:a.example', 'oak -site:a.example'],
    ['oak inurl:forest', 'oak forest'],
    ['oak -intext:forest', 'oak -forest'],
  ])('%s is read as %s', (written, meant) => {
    expect(parseQuery(written)).toEqual(parseQuery(meant));
    expect(queryNotices(written)).toHaveLength(1);
    expect(queryNotices(meant)).toEqual([]);
  });

  test.each(['sqlite NOT NULL constraint', 'NOT working after update', 'oak not ash', 'oak NOT', 'inurl:'])(
    '%s is text',
    (q) => {
      expect(JSON.stringify(parseQuery(q))).not.toContain('"kind":"not"');
      expect(queryNotices(q)).toEqual([]);
    },
  );

  test('a file type that does not exist is named, and one that exists is not', () => {
    expect(queryNotices('oak filetype:docx')).toEqual([expect.stringContaining('filetype: knows pdf')]);
    expect(queryNotices('oak filetype:doc')).toEqual([]);
  });
});
