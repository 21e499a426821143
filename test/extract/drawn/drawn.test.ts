import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createTrail } from '../../../src/extract/main-text/explain.ts';
import { dataSets } from '../../data-sets.ts';
import { pageBytes } from '../../page-bytes.ts';
import { extract, prose, readPage } from '../extractor.ts';

const url = 'https://www.example.org/guide/start';
const script = '<script type="module" src="/assets/index-4f1c.js"></script>';
const shell = (inside: string, head = '') =>
  `<!doctype html><html lang="en"><head><title>Guide</title><meta name="description" content="${'A site about owls. '.repeat(12)}">${head}</head><body>${inside}</body></html>`;

/** How a page was read, and where its text is from. */
function read(html: string) {
  const trail = createTrail();
  const extraction = extract({ url, bytes: Buffer.from(html), contentType: 'text/html' }, trail);
  return { extraction, from: trail.choices.findLast(({ field }) => field === 'body')?.from };
}

describe('a page that scripts draw', () => {
  test.each([
    [
      'React',
      `<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div>${script}`,
    ],
    ['Vue', `<div id="app"></div>${script}`],
    ['Svelte', `<div id="svelte"></div>${script}`],
    ['Angular', `<app-root><div class="spinner">Loading…</div></app-root><app-root></app-root>${script}`],
    ['any other', `<div class="x">Loading</div><script>draw()</script>`],
  ])('of %s has no text, no language, and keeps what it says of itself', (_, body) => {
    const { extraction, from } = read(shell(body));
    expect(extraction).toMatchObject({
      kind: 'drawn',
      why: 'drawn by scripts',
      page: { title: 'Guide', body: '', lang: 'und', wordCount: 0 },
    });
    expect(from).toBe('nothing: scripts draw the page');
  });

  test('names its Markdown', () => {
    const link = '<link rel="alternate" type="text/markdown" href="/guide/start.md">';
    const { extraction } = read(shell(`<div id="root"></div>${script}`, link));
    expect(extraction).toMatchObject({ page: { markdownUrl: 'https://www.example.org/guide/start.md' } });
  });
});

describe('no page that scripts draw', () => {
  test.each([
    ['without scripts', shell('<div id="root"></div><p>Short.')],
    ['with data alone', shell('<p>Short.<script type="application/ld+json">{}</script>')],
    ['short, with a link', shell(`<p>See <a href="/b">the other page</a>.${script}`)],
    ['with a text', shell(`<main>${prose()}</main><div id="root"></div>${script}`)],
    ['of frames', `<html><title>Frames</title><script>x()</script><frameset><frame src="a.html"></frameset>`],
    ['hidden until a script shows it', shell(`<div style="visibility:hidden">${prose()}</div>${script}`)],
    [
      'in Chinese',
      shell(
        `<div id="app"></div><p>${'猫头鹰是夜行性鸟类，主要以小型哺乳动物为食。'.repeat(4)}</p>${script}`,
      ),
    ],
  ])('is one %s', (_, html) => {
    expect(read(html).extraction.kind).toBe('page');
  });

  test('is one that sends its readers on', () => {
    const { extraction } = read(shell(script, '<meta http-equiv="refresh" content="0; url=/there">'));
    expect(extraction).toMatchObject({ kind: 'page', page: { forwardsTo: 'https://www.example.org/there' } });
  });

  test('is among real ones, but for those that people found empty', () => {
    const flagged: string[] = [];
    for (const { folder, isOutside } of dataSets('extraction')) {
      for (const set of isOutside ? ['wcxb-sample/'] : ['pages/']) {
        const lines = readFileSync(new URL(`${set}truth.jsonl`, folder), 'utf8')
          .trim()
          .split('\n');
        for (const line of lines) {
          const truth = JSON.parse(line.replace(/: NaN/g, ': null')) as { html: string; text?: string };
          const bytes = pageBytes(new URL(`${set}${truth.html}`, folder));
          if (extract({ url, bytes, contentType: null }).kind === 'drawn' && truth.text !== '')
            flagged.push(`${set}${truth.html}`);
        }
      }
    }
    expect(flagged).toEqual([]);
  }, 300_000);
});

const sentence = 'Owls hunt at night and hear a mouse below the snow. ';
const long = sentence.repeat(5);
const json = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c');

describe('the text beside the scripts', () => {
  test.each([
    [
      'the state in the page (__NEXT_DATA__)',
      `<div id="__next"></div><script id="__NEXT_DATA__" type="application/json">${json({
        props: {
          pageProps: { post: { title: 'Owls', body: `<p>${long}</p><p>See <a href="/mice">mice</a>.</p>` } },
        },
        buildId: 'x',
      })}</script>`,
    ],
    [
      'the state in the page (__NUXT_DATA__)',
      `<div id="__nuxt"></div><script type="application/json" id="__NUXT_DATA__">${json([
        { data: 1 },
        ['ShallowReactive', 2],
        { page: 3 },
        { title: 4, body: 5 },
        'Owls',
        `${long}\n\nSee [mice](/mice).`,
      ])}</script>`,
    ],
    [
      'the state in the page (__NUXT__)',
      `<div id="__nuxt"></div><script>window.__NUXT__=(function(a){return {data:[{title:"Owls",body:${json(
        `<p>${long}</p><a href="/mice">mice</a>`,
      )}}],x:a}}("y"));</script>`,
    ],
    [
      'the state in the page (__remixContext)',
      `<div id="root"></div><script>window.__remixContext = ${json({
        state: { loaderData: { 'routes/owls': { heading: 'Owls', markdown: `${long}\n\n[mice](/mice)` } } },
      })};</script>`,
    ],
    [
      'the state in the page (__reactRouterContext)',
      `<div id="root"></div><script>window.__reactRouterContext.streamController.enqueue(${json(
        `${json([{ _1: 2 }, 'loaderData', { _3: 4 }, 'routes/owls', { _5: 6 }, 'text', `${long}\n\n[mice](/mice)`])}\n`,
      )});</script>`,
    ],
    [
      'the state in the page (SvelteKit data)',
      `<div id="svelte"></div><script type="application/json" data-sveltekit-fetched data-url="/api">${json({
        status: 200,
        body: JSON.stringify({ title: 'Owls', html: `<p>${long}</p><a href="/mice">mice</a>` }),
      })}</script>`,
    ],
    [
      'the state in the page (astro-island)',
      `<astro-island props="${json({
        title: [0, 'Owls'],
        items: [1, [[0, { text: [0, `<p>${long}</p><a href='/mice'>mice</a>`] }]]],
      }).replaceAll('"', '&quot;')}"></astro-island>`,
    ],
    [
      'the state in the page (__INITIAL_STATE__)',
      `<div id="app"></div><script>window.__INITIAL_STATE__={"article":{"type":"root","children":[{"type":"element","tag":"p","children":[{"type":"text","value":${json(
        long,
      )}},{"type":"element","tag":"a","props":{"href":"/mice"},"children":[{"type":"text","value":"mice"}]}]}]}};</script>`,
    ],
  ])('is %s, with its links', (source, body) => {
    const { extraction, from } = read(shell(`${body}${script}`));
    expect(from).toBe(source);
    expect(extraction.kind).toBe('page');
    if (extraction.kind !== 'page') return;
    expect(extraction.page.body).toContain(long.trim());
    expect(extraction.page.body).not.toContain('A site about owls');
    expect(extraction.page.links).toEqual([{ url: 'https://www.example.org/mice', nofollow: false }]);
  });

  test('is the articleBody of JSON-LD', () => {
    const linked = `<script type="application/ld+json">${json({ '@type': 'Article', articleBody: long })}</script>`;
    const { extraction, from } = read(shell(`${linked}<div id="root"></div>${script}`));
    expect(from).toBe('JSON-LD articleBody');
    expect(extraction).toMatchObject({ kind: 'page', page: { body: long.trim() } });
  });

  test('is a noscript with content', () => {
    const html = shell(
      `<noscript><main>${prose()}${prose('mice')}${prose('owls')}</main></noscript><div id="root"></div>${script}`,
    );
    expect(read(html).from).toBe('noscript, because scripts draw the page');
    expect(readPage(html).body).toContain('about owls');
  });

  test('is never code, settings or labels of the interface', () => {
    const state = json({
      props: {
        pageProps: {
          messages: { consent: `We use cookies. ${long}` },
          compiledSource: `/*@jsxRuntime*/ ${long}`,
          config: { text: long },
          url: `https://example.org/${'a/'.repeat(100)}`,
        },
      },
    });
    const data = `<script id="__NEXT_DATA__" type="application/json">${state}</script>`;
    expect(read(shell(`<div id="__next"></div>${data}${script}`)).extraction.kind).toBe('drawn');
  });

  test('is read in a moment, whatever the page', () => {
    const hostile = [
      '<script>'.repeat(50_000),
      `<script type="application/json">${'['.repeat(200_000)}</script>`,
      `<script>window.__A__=${'"\\'.repeat(100_000)}</script>`,
      `<script>${'window.__A__=('.repeat(20_000)}</script>`,
      `<script type="application/json" id="__NUXT_DATA__">${JSON.stringify([{ a: 1 }, ...Array.from({ length: 5000 }, (_, n) => [n + 2, n + 2])])}</script>`,
      `<astro-island props="${'[0,'.repeat(50_000)}"></astro-island>`,
    ];
    for (const inside of hostile)
      expect(['drawn', 'unreadable']).toContain(
        read(shell(`<div id="root"></div>${script}${inside}`)).extraction.kind,
      );
  });
});
