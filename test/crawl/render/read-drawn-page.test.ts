import { expect, test } from 'vitest';
import { createHostMisses } from '../../../src/crawl/host/host-misses.ts';
import type { Rendering } from '../../../src/crawl/render/renderer.ts';
import { openSite } from '../../site.ts';
import { openCrawler } from '../rig.ts';

const shell = '<title>App</title><div id="root"></div><script src="/app.js"></script>';
const owls = '<title>Owls</title><p>Owls hunt at night and hear a mouse below the snow.</p>';

/** A crawler whose pages are drawn as the list says, the last one again and again. */
function openDrawing(...renderings: Rendering[]) {
  const drawn: string[] = [];
  const crawler = openCrawler({
    renderer: {
      draw: async ({ url }) => {
        drawn.push(url);
        return (renderings.length > 1 ? renderings.shift() : renderings[0]) as Rendering;
      },
      close: async () => {},
    },
  });
  return { ...crawler, drawn };
}

test('a page with a text beside it is not drawn, nor one with a text of its own', async () => {
  const body = '# Owls\n\nOwls hunt at night and hear a mouse below the snow.';
  const site = await openSite({
    '/robots.txt': '',
    '/owls': shell,
    '/owls.md': { headers: { 'content-type': 'text/markdown' }, body },
    '/mice': `<script src="/app.js"></script>${'<p>Mice live below the snow.</p>'.repeat(20)}`,
  });
  const { visitor, drawn } = openDrawing({ kind: 'html', html: owls });
  for (const path of ['/owls', '/mice'])
    expect((await visitor.visit(site.url(path))).visit.kind).toBe('page');
  expect(drawn).toEqual([]);
});

test('a page that shows next to nothing when it is drawn stays what it was', async () => {
  const site = await openSite({ '/robots.txt': '' }, { fallback: shell });
  const { visitor } = openDrawing({ kind: 'html', html: '<title>App</title><p>Loading…</p>' });
  expect((await visitor.visit(site.url('/'))).visit).toMatchObject({
    kind: 'never',
    why: 'drawn by scripts',
  });
});

test('after three pages of a host of which nothing came, one in twenty is drawn, until one has a text', async () => {
  const site = await openSite({ '/robots.txt': '' }, { fallback: shell });
  const blank = { kind: 'failed', why: 'takes too long' } as const;
  const { visitor, drawn } = openDrawing(blank, blank, blank, { kind: 'html', html: owls });
  for (let page = 1; page <= 25; page++) await visitor.visit(site.url(`/${page}`));
  expect(drawn.map((url) => new URL(url).pathname.slice(1))).toEqual(['1', '2', '3', '23', '24', '25']);
});

test('a browser that is missing teaches nothing about a host', async () => {
  const site = await openSite({ '/robots.txt': '' }, { fallback: shell });
  const { visitor, drawn } = openDrawing({ kind: 'unavailable' });
  for (const path of '12345') await visitor.visit(site.url(`/${path}`));
  expect(drawn).toHaveLength(5);
});

test('hosts are judged one by one', () => {
  const misses = createHostMisses();
  for (let page = 0; page < 3; page++) misses.note('a.example', false);
  expect([misses.skips('a.example'), misses.skips('b.example')]).toEqual([true, false]);
});
