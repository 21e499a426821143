import { describe, expect, test } from 'vitest';
import { extract, prose, readPage } from './extractor.ts';

const page = (body: string, head = '') =>
  `<!doctype html><html lang="en"><head>${head}</head><body>${body}</body></html>`;

describe('a page', () => {
  test('gives its main text and leaves out what surrounds it', () => {
    const { body } = readPage(
      page(`<header>Acme Corp</header><nav><a href="/">Home</a> <a href="/b">Blog</a></nav>
        <main><h1>Posting lists</h1>${prose()}</main>
        <aside>Buy our product</aside><div class="cookie-banner">We use cookies</div><footer>Imprint</footer>`),
    );
    expect(body).toContain('says something about posting lists');
    for (const noise of ['Acme', 'Home', 'Buy', 'cookies', 'Imprint']) expect(body).not.toContain(noise);
  });

  test('keeps its structure: paragraphs apart, lists with dashes, cells with tabs, code verbatim', () => {
    const { body } = readPage(
      page(`<main><h2>Steps</h2>${prose()}<ul><li>one</li><li>two<ul><li>inner</li></ul></li></ul>
        <table><tr><th>Name</th><th>Size</th></tr><tr><td><p>a.ts</p></td><td>12</td></tr></table>
        <pre>if (x) {\n    run();\n}</pre></main>`),
    );
    expect(body).toContain('Steps\n\nThis paragraph');
    expect(body).toContain('prose.\n\nAnother');
    expect(body).toContain('- one\n- two\n  - inner');
    expect(body).toContain('Name\tSize\na.ts\t12');
    expect(body).toContain('if (x) {\n    run();\n}');
  });

  test('keeps a section that is only a heading with a link back to the table of contents', () => {
    const section =
      '<section><h2><a href="#id2">General GUI questions</a><a href="#gui">¶</a></h2></section>';
    const { body, headings } = readPage(
      page(`<main><h1>FAQ</h1>${section}<h2>Freezing</h2>${prose()}</main>`),
    );
    expect(body).toContain('General GUI questions');
    expect(headings).toContain('General GUI questions');
  });

  test('keeps hidden text out of its body', () => {
    const { body } = readPage(
      page(`<main>${prose()}<div style="display: none">secret one</div><p hidden>secret two</p>
        <span aria-hidden="true">secret three</span><div style="width:0;height:0">secret four</div>
        <p style="font-size:0">secret five</p><p style="position:absolute;left:-9999px">secret six</p></main>`),
    );
    expect(body).not.toContain('secret');
  });

  test('keeps text in the colour of its background out of its body', () => {
    const { body } = readPage(
      page(`<main>${prose()}<p style="color:#FFF; background-color: white">secret one</p>
        <div style="background:#000"><p><span style="color: rgb(0, 0, 0)">secret two</span></p></div>
        <table bgcolor="#ffffff"><tr><td><font color="white">secret three</font></td></tr></table>
        <p style="color: white; background: #222">shown one</p><p style="color: #fff">shown two</p></main>`),
    );
    expect(body).not.toContain('secret');
    expect(body).toMatch(/shown one[\s\S]+shown two/);
  });

  test('shows what waits behind a tab', () => {
    const panel =
      '<div role="tabpanel" style="display:none"><p>The Windows steps are the same but for the shell.</p></div>';
    expect(readPage(page(`<main>${prose()}${panel}</main>`)).body).toContain('Windows steps');
  });

  test('is read as it stands when a script was meant to show it', () => {
    expect(readPage(page(`<div style="visibility:hidden">${prose()}</div>`)).body).toContain('posting lists');
  });

  test('carries no invisible or direction-changing characters', () => {
    const { title, body } = readPage(
      page(
        `<p>zero\u200bwidth soft\u00adhyphen \u202ereversed\u202c tag\u{e0041}ged ${prose()}</p>`,
        '<title>a\u2066b</title>',
      ),
    );
    expect(title).toBe('ab');
    expect(body).toContain('zerowidth softhyphen reversed tagged');
  });

  test('has the words of a heading that is a link to itself, as on MDN', () => {
    const { headings, body } = readPage(
      `<main>${prose()}<h2 id="a"><a class="heading-anchor" href="#a">Chaining</a></h2>${prose()}</main>`,
    );
    expect(headings).toBe('Chaining');
    expect(body).toContain('\nChaining\n');
  });

  test('begins a line for a row without a first cell', () => {
    const row = (...cells: string[]) => `<tr><td>${cells.join('</td><td>')}</td></tr>`;
    const { body } = readPage(
      `<main>${prose()}<table>${row('a', 'b')}${row('', 'c')}${row('', '')}${row('', '', 'd')}</table></main>`,
    );
    expect(body).toMatch(/\na\tb\n\tc\n\t\td$/);
  });

  test('has neither pilcrows nor other permalink signs in title, headings and body', () => {
    const { title, headings, body } = readPage(
      page(
        `<main><h1>json — JSON encoder<a class="headerlink" href="#json" title="Permalink">¶</a></h1>${prose()}
         <h2>Basic Usage<a class="headerlink" href="#basic">¶</a></h2>${prose()}<h2>More <a href="#more">#</a></h2>${prose()}</main>`,
        '<title>json — JSON encoder &#8212; Python 3.11.2 documentation</title>',
      ),
    );
    expect(title).toBe('json — JSON encoder');
    expect(headings).toBe('Basic Usage\nMore');
    expect(body).not.toMatch(/[¶#]/);
  });

  test('takes the names that definition lists define for headings, without parameters and each once', () => {
    const { headings, body } = readPage(
      page(
        `<main><h1>Files</h1>${prose()}<h2>Functions</h2><dl>
         <dt id="os.stat"><code>os.</code><code>stat</code>(<em>path</em>)<a class="headerlink" href="#os.stat">¶</a></dt>
         <dd>${prose()}<dl><dt>Parameters</dt><dd>path: a file</dd></dl></dd>
         <dt id="os.stat-2">os.stat(path, dir)</dt><dd>${prose()}</dd>
         <dt><a name="work-mem"></a>work_mem (integer)</dt><dd>${prose()}</dd>
         <dt id="glob">[a-z]</dt><dd>${prose()}</dd>
         <dt id="long">${'many words '.repeat(10)}</dt><dd>${prose()}</dd></dl></main>`,
      ),
    );
    expect(headings.split('\n')).toEqual(['Functions', 'os.stat', 'work_mem', '[a-z]']);
    expect(body).toContain('os.stat(path)');
  });

  test('takes no defined name for the title', () => {
    const { title, headings } = readPage(
      page(`<main><dl><dt id="a">alpha</dt><dd>${prose()}</dd></dl><h2>Use</h2>${prose()}</main>`),
      { url: 'https://example.org/x' },
    );
    expect(title).not.toBe('alpha');
    expect(headings.split('\n')).toContain('alpha');
  });

  test('keeps the section that a reader would call content even if its id is an apparatus word', () => {
    const { body } = readPage(
      page(
        `<main><h1>HTTP state</h1>${prose()}<section id="cookies"><h2>Cookies</h2>${prose('cookies')}</section></main>`,
      ),
    );
    expect(body).toContain('something about cookies');
  });

  test('drops comments, but not on a forum', () => {
    const html = page(
      `<main><article>${prose()}</article><div class="comments"><p>I disagree with all of this, and here is why I do.</p></div></main>`,
    );
    expect(readPage(html).body).not.toContain('I disagree');
    expect(readPage(html, { url: 'https://forum.example.org/t/posting/12' }).body).toContain('I disagree');
  });

  test('shows posts of a forum once: neither who wrote them nor what they repeat of earlier ones', () => {
    const post = (text: string) =>
      `<article class="message"><div class="message-cell"><h4>Ada</h4><div class="message-userExtras">Joined 2009 Messages 11</div></div>
       <div class="message-userContent">${text}</div></article>`;
    const { body } = readPage(
      page(
        post(`<p>Which tree would you plant in a small garden?</p>${prose('trees')}`) +
          post(
            `<blockquote data-quote="Ada"><p>Which tree would you plant in a small garden?</p></blockquote>${prose('quinces')}`,
          ),
      ),
      { url: 'https://forum.example.org/threads/trees.12/' },
    );
    expect(body.match(/Which tree would you plant/g)).toHaveLength(1);
    expect(body).not.toContain('Joined 2009');
    expect(body).toContain('something about quinces');
  });

  test('keeps a list of links that a sentence introduces, and drops menus without a name', () => {
    const menu = Array.from({ length: 9 }, (_, n) => `<li><a href="/m/${n}">Item ${n}</a></li>`).join('');
    const list =
      '<ul><li><a href="/p/1">Support floats in casts</a></li><li><a href="/p/2">Fix the sizes</a></li></ul>';
    const { body } = readPage(
      page(
        `<div><div><ul>${menu}</ul></div><div>${prose()}<p>Many patches were sent for review:</p>${list}</div></div>`,
      ),
    );
    expect(body).toContain('- Support floats in casts');
    expect(body).not.toContain('Item 3');
  });

  test('does not repeat its title', () => {
    expect(readPage(page(`<main><h1>Posting lists</h1>${prose()}</main>`)).body).toMatch(/^This paragraph/);
  });

  test('of a product has the description that is only in its JSON-LD', () => {
    const description =
      `A lamp for reading in bed. ${'Its light is warm and its switch is quiet. '.repeat(3)}`.trim();
    const ld = `<script type="application/ld+json">${JSON.stringify({ '@type': 'Product', name: 'Lamp', description })}</script>`;
    expect(readPage(page(`<main>${prose('lamps')}</main>`, ld)).body).toMatch(/^A lamp for reading in bed\./);
    const shown = readPage(page(`<main><p>${description}</p>${prose('lamps')}</main>`, ld)).body;
    expect(shown.match(/A lamp for reading/g)).toHaveLength(1);
  });

  test('drops the box of related articles and keeps a section called related work', () => {
    const box = (heading: string) =>
      `<div><h3>${heading}</h3><p>Zipf and his law, told in a sentence of some length.</p></div>`;
    expect(readPage(page(`<main>${prose()}${prose()}${box('Related articles')}</main>`)).body).not.toContain(
      'Zipf',
    );
    expect(readPage(page(`<main>${prose()}${prose()}${box('Related work')}</main>`)).body).toContain('Zipf');
  });

  test('that lists links keeps them', () => {
    const items = Array.from(
      { length: 30 },
      (_, n) => `<li><a href="/a/${n}">Article number ${n}</a></li>`,
    ).join('');
    expect(
      readPage(page(`<nav><a href="/">Home</a></nav><h1>All articles</h1><ul>${items}</ul>`)).body,
    ).toContain('- Article number 29');
  });

  test('that shows nothing without scripts falls back to what it says of itself', () => {
    const ld = {
      '@type': 'Product',
      name: 'Lamp',
      description: 'A lamp for reading in bed, with a warm light and a switch.',
    };
    const html = page(
      '<div id="app"></div>',
      `<title>Lamp</title><script type="application/ld+json">${JSON.stringify(ld)}</script>`,
    );
    expect(readPage(html).body).toBe(ld.description);
  });

  test('says what robots may do with it', () => {
    const robots = (meta: string) => readPage(page(prose(), meta)).robots;
    expect(robots('<meta name="ROBOTS" content="NoIndex">')).toEqual({ noindex: true, nofollow: false });
    expect(robots('<meta name="gleaner" content="none">')).toEqual({ noindex: true, nofollow: true });
    expect(robots('<meta name="googlebot" content="noindex">')).toEqual({ noindex: false, nofollow: false });
  });

  test('has a language and a word count', () => {
    const { lang, wordCount } = readPage(
      page('<p>Ein kurzer Satz.</p>').replace('lang="en"', 'lang="de-AT"'),
    );
    expect([lang, wordCount]).toEqual(['de-AT', 3]);
  });
});

describe('unreadable', () => {
  const read = (bytes: Uint8Array, contentType: string | null) =>
    extract({ url: 'https://x.example/f', bytes, contentType });

  test('is a PDF, whatever it is served as', () => {
    expect(read(Buffer.from('%PDF-1.7\n1 0 obj'), 'text/html')).toEqual({
      kind: 'unreadable',
      why: 'unsupported type',
    });
  });

  test('is a script', () => {
    expect(read(Buffer.from('let x = 1'), 'application/javascript')).toEqual({
      kind: 'unreadable',
      why: 'unsupported type',
    });
  });

  test('are random bytes served as HTML', () => {
    const bytes = Uint8Array.from({ length: 4000 }, (_, n) => (n * n * 31 + n * 7) % 256);
    expect(read(bytes, 'text/html')).toEqual({ kind: 'unreadable', why: 'undecodable' });
  });

  test('is a page without a word', () => {
    expect(read(Buffer.from('<html><body><img src=a></body></html>'), 'text/html')).toEqual({
      kind: 'unreadable',
      why: 'no text',
    });
  });
});

test('what a page says to browsers without scripts is no text of it', () => {
  const said = '<noscript>You need to enable JavaScript to read on.</noscript>';
  expect(readPage(`<main>${prose()}${said}</main>`).body).not.toContain('JavaScript');
  expect(() => readPage(`<main>${said}</main>`)).toThrow('no text');
});
