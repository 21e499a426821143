import { expect, test } from 'vitest';
import { pageDocument } from '../../../src/index/opensearch/page-document.ts';
import { buildSegment } from '../../../src/index/segment/build/builder.ts';
import { openSegment } from '../../../src/index/segment/reader.ts';
import { examplePage } from '../../pages.ts';

const averageLengths = [3, 5, 4, 20] as const;
const page = examplePage({
  url: 'https://docs.example.com/a/b/',
  title: 'Running trees',
  headings: 'Leaves\nRoots',
  body: 'The tree runs. 数据库优化 and C++ run, running again and again.',
});

test('a term has the impact that a packed segment has', () => {
  const opened = openSegment(buildSegment([page], { averageLengths }).buffer);
  if (opened.kind !== 'segment') throw new Error('damaged');
  const { segment } = opened;
  const pairs = pageDocument(page, averageLengths)
    .terms.split(' ')
    .map((pair) => pair.split('|'));
  expect(pairs.length).toBeGreaterThan(20);
  for (const [term = '', impact] of pairs) {
    const number = segment.termNumber(term);
    expect([term, segment.impacts[segment.dictionary.postings.start(number)]]).toEqual([
      term,
      Number(impact),
    ]);
  }
});

test('hosts and paths are all that site: may name', () => {
  const { hosts, paths } = pageDocument(page, averageLengths);
  expect(hosts).toEqual(['docs.example.com', 'example.com', 'com']);
  expect(paths).toEqual(['/a', '/a/b', '/a/b/']);
});

test('a term that would be read as another one is left out', () => {
  const { terms } = pageDocument(
    examplePage({ url: 'https://a.example/', body: 'a||b one | two' }),
    averageLengths,
  );
  for (const pair of terms.split(' ')) expect(pair).toMatch(/^[^|]+\|\d+$/);
});
