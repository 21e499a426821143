import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { feedsOf, parseFeed } from '../../../src/crawl/site/feed.ts';
import { dataSets } from '../../data-sets.ts';

describe('a feed', () => {
  test('of RSS gives the addresses of its items, and their dates', () => {
    const text = `<?xml version="1.0"?><rss version="2.0"><channel><link>https://a.example/</link>
      <item><title>1</title><link>https://a.example/1?x=1&amp;y=2</link><pubDate>Mon, 06 Sep 2010 00:01:00 +0000</pubDate></item>
      <item><guid>https://a.example/2</guid></item>
      <item><guid isPermaLink="false">no-address</guid></item>
      <item><link>https://a.example/3</link><guid>https://a.example/guid</guid><pubDate>soon</pubDate></item>
    </channel></rss>`;
    expect(parseFeed(text)).toEqual([
      { url: 'https://a.example/1?x=1&y=2', lastModified: Date.UTC(2010, 8, 6, 0, 1) },
      { url: 'https://a.example/2' },
      { url: 'https://a.example/3' },
    ]);
  });

  test('of RSS 1.0 (RDF) is one, too', () => {
    const text =
      '<rdf:RDF xmlns="http://purl.org/rss/1.0/"><channel><link>/</link></channel><item><link>/a</link></item></rdf:RDF>';
    expect(parseFeed(text)).toEqual([{ url: '/a' }]);
  });

  test('of Atom gives the alternate link of each entry', () => {
    const text = `<!-- x --><a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:link href="/self" rel="self"/>
      <a:entry><a:link rel="edit" href="/edit/1"/><a:link href="/1"/><a:updated>2026-01-02T00:00:00Z</a:updated></a:entry>
      <a:entry><a:link rel="enclosure" href="/2.mp3"/><a:link rel="alternate" href="/2"/></a:entry></a:feed>`;
    expect(parseFeed(text)).toEqual([{ url: '/1', lastModified: Date.UTC(2026, 0, 2) }, { url: '/2' }]);
  });

  test('that is cut short gives what is there', () => {
    expect(parseFeed('<rss><channel><item><link>/1</link></item><item><link>/2')?.[0]).toEqual({ url: '/1' });
  });

  test.each(['<html><!-- <rdf:RDF> --><body>', '<!-- <rss> --><html>', 'rss', '', '<urlset><url/></urlset>'])(
    '%j is none',
    (text) => {
      expect(parseFeed(text)).toBeNull();
    },
  );
});

test('a page names its feeds in its head', () => {
  const html = `<html><head><link rel="stylesheet" href="/a.css">
    <LINK REL="alternate" TYPE="application/rss+xml; charset=utf-8" HREF="/feed">
    <link rel="alternate" hreflang="de" href="/de"><link type="application/atom+xml" rel="home alternate" href="atom.xml">`;
  expect(feedsOf(Buffer.from(html))).toEqual(['/feed', 'atom.xml']);
});

const firstEntries = {
  samples: [
    ['atom.xml', 'https://birds.example/notes/heron', 2],
    ['feed.rss', 'https://birds.example/notes/kites', 2],
  ],
  outside: [
    ['atom.xml', 'http://example.org/2003/12/13/atom03', 1],
    ['feed.rss', 'https://www.example.com/blog/post/1', 4],
  ],
} satisfies Record<string, [file: string, first: string, least: number][]>;

describe.each(dataSets('sitemaps'))('feeds: $name', ({ name, folder }) => {
  test.each(firstEntries[name])('%s', (file, first, least) => {
    const entries = parseFeed(readFileSync(new URL(file, folder), 'utf8')) ?? [];
    expect(entries[0]?.url).toBe(first);
    expect(entries.length).toBeGreaterThanOrEqual(least);
    for (const { url } of entries) expect(url).toMatch(/^https?:\/\//);
  });
});
