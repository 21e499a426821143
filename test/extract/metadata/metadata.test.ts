import { describe, expect, test } from 'vitest';
import { prose, readPage } from '../extractor.ts';

const read = (head: string, body = '') =>
  readPage(`<html><head>${head}</head><body><main>${body}${prose()}</main></body></html>`);
const ld = (data: object) => `<script type="application/ld+json">${JSON.stringify(data)}</script>`;
const published = (head: string, body = '') => {
  const { publishedAt } = read(head, body);
  return publishedAt === null ? null : new Date(publishedAt).toISOString();
};

describe('published date', () => {
  test('comes from JSON-LD before meta', () => {
    const head = `${ld({ '@graph': [{ '@type': 'NewsArticle', datePublished: '2024-03-05T08:00:00Z', dateModified: '2025-01-01' }] })}
      <meta property="article:published_time" content="2023-01-01">`;
    expect(published(head)).toBe('2024-03-05T08:00:00.000Z');
  });

  test('comes from meta, microdata, time and labelled text', () => {
    expect(published('<meta property="article:published_time" content="2024-03-05">')).toBe(
      '2024-03-05T00:00:00.000Z',
    );
    expect(published('', '<span itemprop="datePublished" content="2024-03-05"></span>')).toBe(
      '2024-03-05T00:00:00.000Z',
    );
    expect(published('', '<time datetime="2024-03-05">a while ago</time>')).toBe('2024-03-05T00:00:00.000Z');
    expect(published('', '<p>Published: March 5, 2024</p>')).toBe('2024-03-05T00:00:00.000Z');
    expect(published('', '<span>发布时间：2024年3月5日</span>')).toBe('2024-03-05T00:00:00.000Z');
    expect(published('', '<div class="post-date">5.3.2024</div>')).toBe('2024-03-05T00:00:00.000Z');
  });

  test('is never the date of a change', () => {
    expect(
      published(
        `<meta property="article:modified_time" content="2024-03-05">${ld({ '@type': 'Article', dateModified: '2024-03-05' })}`,
      ),
    ).toBeNull();
    expect(published('', '<time class="updated" datetime="2024-03-05">5 March</time>')).toBeNull();
    expect(published('', '<p class="meta">Last updated: March 5, 2024</p>')).toBeNull();
  });

  test('is never in the future nor before 1990, and the next source is asked', () => {
    expect(
      published(
        '<meta property="article:published_time" content="2999-01-01"><meta name="date" content="2024-03-05">',
      ),
    ).toBe('2024-03-05T00:00:00.000Z');
    expect(published('<meta name="date" content="1970-01-01">')).toBeNull();
  });

  test('is not a date that the text mentions', () => {
    expect(
      published(
        '',
        '<p>The battle of 14 October 1996 was described by many who had not been there at all.</p>',
      ),
    ).toBeNull();
  });

  test('comes from a line at the title, from broken JSON-LD, or last from the URL', () => {
    expect(
      published(
        '<title>Planting trees | Site</title>',
        '<h2>Planting trees</h2><p>5 March 2024</p><p>Text.</p>',
      ),
    ).toBe('2024-03-05T00:00:00.000Z');
    expect(
      published('<script type="application/ld+json">{ "datePublished": "2024-03-05", "a": </script>', ''),
    ).toBe('2024-03-05T00:00:00.000Z');
    const dated = readPage(`<p>Text of a page.</p>`, { url: 'https://example.org/blog/2024/03/05/trees' });
    expect(dated.publishedAt).toBe(Date.UTC(2024, 2, 5));
  });

  test('is from before the web only if a vocabulary names it, and never an unset time stamp', () => {
    expect(published('<meta name="citation_publication_date" content="1985/06/01">', '')).toBe(
      '1985-06-01T00:00:00.000Z',
    );
    expect(published('', '<h1>Trees</h1><p>1 June 1985</p>')).toBeNull();
    expect(
      published('<meta property="article:published_time" content="1970-01-01T00:00:00Z">', ''),
    ).toBeNull();
  });

  test('of a question is its own, by dateCreated too, not that of an answer', () => {
    const question = { '@type': 'Question', name: 'Why?', dateCreated: '2021-03-05' };
    const answer = { '@type': 'Answer', datePublished: '2022-04-06' };
    const data = { '@type': 'QAPage', mainEntity: { ...question, acceptedAnswer: answer } };
    expect(published(ld(data))).toBe('2021-03-05T00:00:00.000Z');
    const answered =
      '<div itemscope itemtype="https://schema.org/Answer"><time itemprop="datePublished" datetime="2022-04-06">6 April 2022</time></div>';
    expect(published('', answered)).toBeNull();
  });

  test('is that of an update only where a Chinese page shows no other', () => {
    expect(published('', '<p>更新时间：2021-03-05</p>')).toBe('2021-03-05T00:00:00.000Z');
    expect(published('', '<p>更新时间：2022-03-05</p><p>发布时间：2021-03-05</p>')).toBe(
      '2021-03-05T00:00:00.000Z',
    );
  });

  test('is the one that the page shows where a vocabulary is alone with another', () => {
    const head = `${ld({ '@type': 'NewsArticle', datePublished: '2024-03-01T08:00:00Z' })}
      <meta property="article:published_time" content="2024-03-05T08:00:00Z">`;
    expect(published(head)).toBe('2024-03-01T08:00:00.000Z');
    const shown = '<h1>Trees</h1><p class="post-date">5 March 2024</p>';
    expect(published(`<title>Trees</title>${head}`, shown)).toBe('2024-03-05T08:00:00.000Z');
  });

  test.each([
    ['a name before it', '<p>By Jane Doe, 12 March 2024</p>'],
    [
      'a long byline before it',
      '<p>By Jane Doe, the chief correspondent of the Heron Weekly, 12 March 2024</p>',
    ],
    ['a name and a change', '<p>Jane Doe | March 12, 2024 | Updated April 2, 2025</p>'],
    ['a change before it', '<p>Updated: April 2, 2025 | Published: March 12, 2024</p>'],
    ['a change before it, without words', '<p>Last updated 2 April 2025 | 12 March 2024</p>'],
    ['comments after it', '<p>Jane Doe / 12.03.2024</p><p>150</p><h2>Trees</h2>'],
  ])('stands in a line with %s', (_, line) => {
    const date = published('<title>Trees</title>', line.includes('<h2>') ? line : `<h1>Trees</h1>${line}`);
    expect(date).toBe('2024-03-12T00:00:00.000Z');
  });

  test.each([
    ['English', 'This article was first published on 3 May 2021 in the Heron Weekly.'],
    ['German', 'Dieser Beitrag erschien zuerst am 3. Mai 2021 in einer Zeitschrift.'],
    ['French', 'Cet article a été publié le 3 mai 2021.'],
    ['Spanish', 'Este artículo fue publicado el 3 de mayo de 2021.'],
    ['Chinese', '本文首发于2021年5月3日。'],
  ])('stands in a sentence about the page, in %s', (_, sentence) => {
    const long = `${'Herons stand still for hours and wait. '.repeat(20)}${sentence}`;
    expect(published('', `<p>${sentence}</p>`)).toBe('2021-05-03T00:00:00.000Z');
    expect(published('', `<p>${long}</p>`)).toBe('2021-05-03T00:00:00.000Z');
    const other = long.replace(/article|Beitrag|artículo|本文/, 'Buch');
    expect(published('', `<p>${other}</p>`)).toBeNull();
  });

  test('has the day of the page where the instant falls on another day in UTC', () => {
    const day = (time: string, url = 'https://www.example.org/a') =>
      readPage(`<meta property="article:published_time" content="${time}">${prose()}`, { url }).publishedDay;
    const dated = 'https://www.example.org/2024/03/12/herons';
    expect(day('2024-03-12T22:30:00-05:00')).toBe('2024-03-12');
    expect(day('2024-03-13T01:00:00+09:00')).toBe('2024-03-13');
    expect(day('2024-03-13T03:30:00Z', dated)).toBe('2024-03-12');
    expect(day('2024-03-11T23:30:00Z', dated)).toBe('2024-03-12');
    // The same day in both, a day without a time, and an address that says another day altogether.
    expect(day('2024-03-12T12:00:00+02:00')).toBeUndefined();
    expect(day('2024-03-13', dated)).toBeUndefined();
    expect(day('2024-03-14T03:30:00Z', dated)).toBeUndefined();
  });

  test('is not that of a related article', () => {
    expect(published('', '<aside><time datetime="2024-03-05">5 March</time></aside>')).toBeNull();
  });
});

describe('what stands around a date', () => {
  const page = (body: string) =>
    readPage(`<html><head><title>The habits of herons</title></head><body>${body}</body></html>`).publishedAt;

  test('names of the layout around the heading say nothing of a date in it', () => {
    const sidebar = (inside: string) =>
      page(
        `<div class="layout one-sidebar"><div>${inside}<p class="published-at">5 March 2024</p></div>${prose()}</div>`,
      );
    expect(sidebar('<h1>The habits of herons</h1>')).toBe(Date.UTC(2024, 2, 5));
    expect(sidebar('<h2>The habits of herons</h2>')).toBe(Date.UTC(2024, 2, 5));
    expect(sidebar('')).toBeNull();
  });

  test('a title in bold or in a cell has its date next to it', () => {
    const table =
      '<table><tr><td><b>The habits of herons</b></td></tr><tr><td>2024-03-05 10:20</td></tr></table>';
    expect(page(`${table}${prose()}`)).toBe(Date.UTC(2024, 2, 5, 10, 20));
    expect(page(`${table.replace('habits', 'food')}${prose()}`)).toBeNull();
  });
});

describe('author', () => {
  test('comes from JSON-LD, by reference too', () => {
    const graph = {
      '@graph': [
        { '@type': 'BlogPosting', author: { '@id': '#ada' } },
        { '@type': 'Person', '@id': '#ada', name: 'Ada Lovelace' },
      ],
    };
    expect(read(ld(graph)).author).toBe('Ada Lovelace');
    expect(read(ld({ '@type': 'Article', author: [{ name: 'Ada' }, { name: 'Grace' }] })).author).toBe(
      'Ada, Grace',
    );
  });

  test('comes from meta, itemprop and rel', () => {
    expect(read('<meta name="author" content="By Ada Lovelace">').author).toBe('Ada Lovelace');
    expect(
      read('', '<div itemprop="author"><span itemprop="name">Ada Lovelace</span>, mathematician</div>')
        .author,
    ).toBe('Ada Lovelace');
    expect(read('', '<a rel="author" href="/ada">Ada Lovelace</a>').author).toBe('Ada Lovelace');
  });

  test('is not joined by those who commented', () => {
    const item = (name: string) => `<div><span itemprop="author">${name}</span></div>`;
    expect(read('', item('Ada') + item('Grace')).author).toBe('Ada');
  });

  test('is null rather than a guess', () => {
    expect(read('<meta name="author" content="admin">').author).toBeNull();
    expect(read('<meta property="article:author" content="https://facebook.com/ada">').author).toBeNull();
    expect(read('', '<p class="byline">By somebody</p>').author).toBeNull();
  });
});

describe('the rest of the metadata', () => {
  test('is read from meta and link', () => {
    const page =
      read(`<meta name="description" content=" What it &amp; says "><meta property="og:site_name" content="Example">
      <link rel="canonical" href="/guide/start?x=1#top">`);
    expect(page.description).toBe('What it & says');
    expect(page.siteName).toBe('Example');
    expect(page.canonical).toBe('https://www.example.org/guide/start?x=1');
  });

  test('survives JSON-LD that is none', () => {
    expect(read('<title>A</title><script type="application/ld+json">{ "a": [1, 2,, </script>').title).toBe(
      'A',
    );
  });

  test('mends JSON-LD with line ends in strings and trailing commas', () => {
    const broken =
      '<script type="application/ld+json">{"@type":"Article","author":{"name":"Ada\nLovelace"},}</script>';
    expect(read(broken).author).toBe('Ada Lovelace');
  });

  test('does not take the title of a picture', () => {
    expect(read('<title>Page</title>', '<svg><title>Icon</title></svg>').title).toBe('Page');
  });
});
