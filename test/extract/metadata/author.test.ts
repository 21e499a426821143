import { describe, expect, test } from 'vitest';
import { createTrail } from '../../../src/extract/main-text/explain.ts';
import { extract, prose, readPage } from '../extractor.ts';

const title = 'The habits of herons';
const page = (body: string, head = '') =>
  `<html><head><title>${title}</title>${head}</head><body><main><h1>${title}</h1>${body}${prose()}</main></body></html>`;
const authorOf = (body: string, head = '') => readPage(page(body, head)).author;
const ld = (author: unknown) =>
  `<script type="application/ld+json">${JSON.stringify({ '@type': 'NewsArticle', author })}</script>`;

describe('the visible byline', () => {
  test.each([
    ['a class', '<p class="post-author">Ann Lee</p>', 'Ann Lee'],
    ['an id', '<div id="byline">By Ann Lee</div>', 'Ann Lee'],
    ['a compound class', '<p class="c-article__author">Ann Lee</p>', 'Ann Lee'],
    [
      'a class in another language',
      '<p class="autorenzeile">Von Ann Lee, Bo Berg und Cy Crane</p>',
      'Ann Lee, Bo Berg, Cy Crane',
    ],
    [
      'an account',
      '<span class="author vcard"><a class="fn" href="/author/annlee">annlee</a></span>',
      'annlee',
    ],
    ['words alone', '<p>By Ann Lee</p>', 'Ann Lee'],
    ['more words in German', '<p>Ein Artikel von Ann Lee | 27.01.2022</p>', 'Ann Lee'],
    ['a word that belongs to a date', '<p class="author-info">Ann Lee Stand: 14. August</p>', 'Ann Lee'],
    ['words in their own element', '<p><span>Von</span> <a href="/lee">Ann Lee</a></p>', 'Ann Lee'],
    ['words in French', '<p>Par Anne de la Tour</p>', 'Anne de la Tour'],
    ['words in Chinese', '<p>作者：王小明</p>', '王小明'],
    ['a reporter in Chinese', '<p>本报记者 王小明</p>', '王小明'],
    ['a date beside the name', '<p>5 May 2024 - Ann Lee</p>', 'Ann Lee'],
    ['a name before a date', '<p>Ann Lee, 05.05.2024</p>', 'Ann Lee'],
    ['a date and words', '<p>06.05.2024 13:30 von Olga</p>', 'Olga'],
    ['an agency beside the name', '<p class="byline">Von Ann Lee, dpa</p>', 'Ann Lee'],
    [
      'a role below the name',
      '<div class="author"><div>Ann Lee</div><div>Staff writer</div></div>',
      'Ann Lee',
    ],
    ['a date in words', '<p class="byline"><span>Ann Lee</span> <abbr>March 11, 2015</abbr></p>', 'Ann Lee'],
    ['a weekday beside the name', '<p class="byline">Ann Lee Monday, 29 February 2016</p>', 'Ann Lee'],
    [
      'a link, which ends the name',
      '<p class="byline"><a href="/ann">Ann Lee</a> Kingfisher Weekly</p>',
      'Ann Lee',
    ],
    [
      'links, which several names have',
      '<p class="byline"><a href="/ann">Ann Lee</a> and <a href="/bo">Bo Berg</a></p>',
      'Ann Lee, Bo Berg',
    ],
    [
      'a list of the topic beside it',
      '<div class="authorInfo"><a href="/topics/birds/">River Birds</a><p>Ann Lee</p></div>',
      'Ann Lee',
    ],
    [
      'an element in a box with more',
      '<div class="author-box"><b>Wading Birds</b><p class="author-name">Ann Lee</p></div>',
      'Ann Lee',
    ],
    ['who asks in an interview', '<p>Ein Interview von Ann Lee mit Bo Berg.</p>', 'Ann Lee'],
    ['who asks, by a label', '<p>Interview: Ann Lee</p>', 'Ann Lee'],
    ['who asks, at the end of a label', '<p>Interviewed by <b>Ann Lee</b></p>', 'Ann Lee'],
    ['who asks in German', '<p><em>Das Gespräch führten Ann Lee und Bo Berg.</em></p>', 'Ann Lee, Bo Berg'],
    ['who asks in French', '<p>Propos recueillis par Anne de la Tour</p>', 'Anne de la Tour'],
    ['who asks in Spanish', '<p>Entrevista realizada por Ana López</p>', 'Ana López'],
    ['who asks in Chinese', '<p>采访：王小明</p>', '王小明'],
    ['who asks in Japanese', '<p>聞き手：山田太郎</p>', '山田太郎'],
    ['who asks in Russian', '<p>Беседовала Анна Ли</p>', 'Анна Ли'],
    ['who draws beside who writes', '<p>Text von Ann Lee Illustration von Bo Berg</p>', 'Ann Lee'],
    ['an initial in parentheses', '<p class="byline">Ann (A.B.) Lee</p>', 'Ann Lee'],
    ['an account with digits', '<a class="author" href="/u/7">heron123</a>', 'heron123'],
    [
      'who began a thread',
      '<p><span>Thread starter</span> <a href="/members/heron.1/">heron12</a></p>',
      'heron12',
    ],
    [
      'its place right below the title, in a block that is called a sidebar',
      '<div class="article-sidebar"><p><b>By</b></p><p>Ann Lee</p></div>',
      'Ann Lee',
    ],
    ['a role beside the name', '<p class="author">Ann Lee, Vice President, Heron Division</p>', 'Ann Lee'],
    [
      'elements side by side',
      '<ul><li class="author">Ann Lee</li><li class="author">Bo Berg</li></ul>',
      'Ann Lee, Bo Berg',
    ],
    [
      'its place, where more articles with their own follow',
      `<p class="author">Ann Lee</p>${'<p>The heron stands still.</p>'.repeat(8)}<p class="author">Bo Berg</p>`,
      'Ann Lee',
    ],
  ])('is read by %s', (_, body, author) => {
    expect(authorOf(body)).toBe(author);
  });

  test.each([
    ['View all posts by Ann Lee'],
    ['Zeige alle Beiträge von Ann Lee'],
    ['Voir tous les articles de Ann Lee'],
    ['Ver todas las entradas de Ann Lee'],
    ['More stories by Ann Lee'],
  ])('has the name in the label of a link: %s', (label) => {
    expect(authorOf(`<a rel="author" href="/ann">${label}</a>`)).toBe('Ann Lee');
  });

  test.each([
    ['a label without a name', '<a class="author-link" href="/ann">See full bio</a>'],
    [
      'a description',
      '<p class="author">Our team of five people writes about birds, and has done so for years.</p>',
    ],
    ['a button', '<div class="byline"><a href="#">Print</a><a href="#">Share</a></div>'],
    ['words in a sentence', '<p>By the river it waits for hours.</p>'],
    ['who wrote a comment', '<div class="comments"><p class="comment-author">Bo Berg</p></div>'],
    [
      'who wrote what is in a sidebar',
      '<p>Line</p><p>by</p><p>line</p><p>of</p><p>text</p><div class="sidebar"><p>By Bo Berg</p></div>',
    ],
    ['who wrote other pages', '<aside><p class="author">Bo Berg</p></aside>'],
    ['a single word that leads nowhere', '<div class="author-wrapper">Piše</div>'],
    ['words before a date', '<div class="author-details"><em>Last</em> Updated: 7 January 2025</div>'],
    ['a label', '<p class="author-title">Author Name</p>'],
    [
      'a list of members',
      Array.from(
        { length: 26 },
        (_, at) => `<p class="author">Ann ${String.fromCharCode(65 + at)}aa</p>`,
      ).join(''),
    ],
    ['a control', '<div class="byline"><ul><li>Sign Out</li></ul></div>'],
    ['an agency', '<p class="byline">Agencia Reforma</p>'],
    ['who answers, below the word', '<p>Interview</p><p>Ann Lee</p>'],
    ['who answers, in a heading', '<h2>Interview: Ann Lee</h2>'],
    ['who answers, in a sentence', '<p>Interview: Ann Lee on the habits of herons</p>'],
    ['who answers, with what he says', '<p>Interview: Ann Lee, was sagen Sie dazu?</p>'],
    ['who took the picture', '<p class="image-caption byline">Ann Lee</p>'],
    ['a role in Chinese', '<p class="author">责任编辑</p>'],
    ['a newspaper in Korean', '<p class="author">스포츠조선</p>'],
  ])('is not %s', (_, body) => {
    expect(authorOf(body)).toBeNull();
  });

  test('far from the title counts only if all name the same', () => {
    const far = Array.from({ length: 30 }, (_, line) => `<p>Line ${line} of the text.</p>`).join('');
    expect(authorOf(`${far}<p class="author">Ann Lee</p>`)).toBe('Ann Lee');
    expect(
      authorOf(`${far}<div><p class="author">Ann Lee</p></div><div><p class="author">Bo Berg</p></div>`),
    ).toBeNull();
  });
});

test('a label with a colon is read anywhere, if all of them name the same', () => {
  const far = Array.from({ length: 30 }, (_, line) => `<p>Line ${line} of the text.</p>`).join('');
  expect(authorOf(`${far}<p><b>Text:</b> Ann Lee</p>`)).toBe('Ann Lee');
  expect(authorOf(`${far}<p>(Das Gespräch führte Ann Lee)</p>`)).toBe('Ann Lee');
  expect(authorOf(`${far}<p>Author: Ann Lee</p><p>Author: Bo Berg</p>`)).toBeNull();
  expect(authorOf(`${far}<p>By Ann Lee</p>`)).toBeNull();
});

describe('a declared author', () => {
  const byline = '<p class="byline">By Ann Lee</p>';

  test('that is a person is believed', () => {
    expect(authorOf('', ld({ '@type': 'Person', name: 'Bo Berg' }))).toBe('Bo Berg');
    expect(authorOf(byline, ld({ '@type': 'Person', name: 'Ann M. Lee' }))).toBe('Ann M. Lee');
  });

  test('that is somebody else than the byline next to the title has put the page in', () => {
    expect(authorOf(byline, ld({ '@type': 'Person', name: 'Bo Berg' }))).toBe('Ann Lee');
    const others = `${ld({ '@type': 'Person', name: 'Bo Berg' })}<meta name="parsely-author" content="Ann Lee, Cy Crane">`;
    expect(authorOf(byline, others)).toBe('Ann Lee, Cy Crane');
  });

  test('that is an organization, the site or an account gives way to the byline', () => {
    expect(authorOf(byline, ld({ '@type': 'Organization', name: 'Heron Society' }))).toBe('Ann Lee');
    expect(authorOf(byline, '<meta name="author" content="Example.org">')).toBe('Ann Lee');
    expect(authorOf(byline, '<meta name="author" content="ann.l">')).toBe('Ann Lee');
    expect(authorOf('', ld({ '@type': 'Organization', name: 'Heron Society' }))).toBe('Heron Society');
  });

  test('that is a first name is completed by the byline', () => {
    expect(authorOf(byline, '<meta name="author" content="Ann">')).toBe('Ann Lee');
  });

  test('is not where the pages of a list have different authors', () => {
    const teasers = ['Ann Lee', 'Bo Berg', 'Cy Crane']
      .map((name) => `<div><h2>About ${name}</h2><a rel="author" href="/">${name}</a></div>`)
      .join('');
    const far = Array.from({ length: 30 }, (_, line) => `<p>Line ${line} of the text.</p>`).join('');
    expect(authorOf(far + teasers)).toBeNull();
    expect(authorOf(`<aside><a rel="author" href="/">Bo Berg</a></aside>`)).toBeNull();
  });

  test('is without the date that stands in its item', () => {
    expect(authorOf('<p itemprop="author">Ann Lee, Bo Berg | 12. März 2024</p>')).toBe('Ann Lee, Bo Berg');
    expect(authorOf('<p itemprop="author">(Image: Heron Society)</p>')).toBeNull();
  });

  test('is without the name of the site behind it', () => {
    expect(authorOf('', '<meta name="author" content="Ann Lee | Heron Weekly">')).toBe('Ann Lee');
    expect(authorOf('', '<meta name="author" content="Ann Lee, Bo Berg, Cy Crane | HERON WEEKLY">')).toBe(
      'Ann Lee, Bo Berg, Cy Crane',
    );
  });

  test.each(['Ann Lee <ann@heron.example>', 'Ann Lee, ann.lee@heron.example', 'ann@heron.example (Ann Lee)'])(
    'is without the address of mail beside it: %s',
    (name) => {
      expect(authorOf('', `<meta name="author" content="${name.replace('<', '&lt;')}">`)).toBe('Ann Lee');
    },
  );

  test('is not who made the template, whose site is beside the name', () => {
    expect(authorOf('', '<meta name="author" content="Ann Lee - https://themes.example">')).toBeNull();
  });

  test('is one of several properties of a meta element', () => {
    const head = '<meta property="dc:creator twitter:site_name" content="Ann Lee">';
    expect(authorOf('', head)).toBe('Ann Lee');
  });

  test.each(['. .', '219.79.38.192', '© Heron Society'])('has letters and no rights: %s', (name) => {
    expect(authorOf('', `<meta name="author" content="${name}">`)).toBeNull();
  });

  test.each([
    'heronweekly.example',
    'Süddeutsche.de GmbH, Munich, Germany',
    'SmartEtailing Inc',
    'Heron Watch S.r.l.',
    'Пресса ООО',
    'ハウスコム株式会社',
    'Vogelschutz e. V.',
    'admin2',
    'wpadmin',
    'Default User',
    'Heron Watch, Inc.',
    'Heron Watch AG',
    'Reiher & Co.',
    'press',
  ])('that is in meta for the whole site is none: %s', (name) => {
    expect(authorOf('', `<meta name="author" content="${name}">`)).toBeNull();
    expect(authorOf('', `<meta name="author" content="${name}"><meta name="byl" content="Ann Lee">`)).toBe(
      'Ann Lee',
    );
  });

  test('that is an organization in JSON-LD gives way to a person in meta', () => {
    const organization = ld({ '@type': 'Organization', name: 'Heron Society' });
    expect(authorOf('', `${organization}<meta name="author" content="Ann Lee">`)).toBe('Ann Lee');
  });

  test.each([
    ['Ann Vogel', 'Ann Vogel'],
    ['Nike Jane', 'Nike Jane'],
    ['Jo', 'Jo'],
    ['sara.r.peter', 'sara.r.peter'],
    ['Mobasir hassan', 'Mobasir hassan'],
    ['Ag Lund', 'Ag Lund'],
    ['Heron123', 'Heron123'],
    ['Example', 'Example'],
    ['heronfriend', 'heronfriend'],
    ['Heron Weekly Staff', 'Heron Weekly Staff'],
    ['經濟日報', '經濟日報'],
    ['Example Group', 'Example Group'],
    ['Rui Sa', 'Rui Sa'],
    ['Jose Co', 'Jose Co'],
    ['Kim Ag', 'Kim Ag'],
    ['Minh Hf', 'Minh Hf'],
    ['Marta Trust', 'Marta Trust'],
    ['Ana de Sa', 'Ana de Sa'],
    ['Иван Ип', 'Иван Ип'],
    ['Ann Lee, Web Admin', 'Ann Lee'],
    ['Ann Lee, Acme Widgets GmbH', 'Ann Lee'],
  ])('that may be a person in meta is one: %s', (name, author) => {
    expect(authorOf('', `<meta name="author" content="${name}">`)).toBe(author);
  });

  test('that is an account is written as the text writes the name', () => {
    const account = ld({ '@type': 'Person', name: 'ann.lee' });
    expect(authorOf('<p>The reeds are high. (Ann P. Lee)</p>', account)).toBe('Ann P. Lee');
    expect(authorOf('<p>The reeds are high at ann lee.</p>', account)).toBe('ann.lee');
  });

  test('that is an account is told from a host by the text', () => {
    const account = '<meta name="author" content="tom.wu">';
    expect(authorOf('<p>The reeds of tom wu are high.</p>', account)).toBeNull();
    expect(authorOf('<p>The reeds of tom wu are high. (Tom Wu)</p>', account)).toBe('Tom Wu');
  });

  test('that is an account of a system hides no other author', () => {
    const system = '<meta name="author" content="Super User">';
    expect(authorOf('', `${system}<meta name="dc.creator" content="Super User">`)).toBeNull();
    expect(authorOf('<a rel="author" href="/1">Super User</a>', system)).toBeNull();
    expect(authorOf('<p class="byline">Written by Super User</p>', system)).toBeNull();
    expect(authorOf(`${prose()}<p>Author: Ann Lee</p>`, system)).toBe('Ann Lee');
    expect(authorOf('', ld({ '@type': 'Person', name: 'user5105' }))).toBe('user5105');
  });

  test('that is an address is none', () => {
    expect(authorOf('', '<meta name="author" content="Web Co GmbH www.web.example">')).toBeNull();
  });
});

test('the source of the author is recorded', () => {
  const from = (body: string, head = '') => {
    const trail = createTrail();
    extract(
      { url: 'https://www.example.org/', bytes: Buffer.from(page(body, head)), contentType: null },
      trail,
    );
    return trail.choices.find(({ field }) => field === 'author')?.from;
  };
  expect(from('<p class="post-author">Ann Lee</p>')).toBe('p called post-author');
  expect(from('<p>By Ann Lee</p>')).toBe('line "By Ann Lee"');
  expect(from('', '<meta name="author" content="Ann Lee">')).toBe('meta author');
});

test('every author that a citation names is one', () => {
  const cited = ['Lee, Ann', 'Bo Berg']
    .map((name) => `<meta name="citation_author" content="${name}">`)
    .join('');
  expect(authorOf('', cited)).toBe('Ann Lee, Bo Berg');
});

test('authors of citations are people, whatever companies are called', () => {
  const cited = (name: string, ...authors: string[]) =>
    authors.map((author) => `<meta name="${name}" content="${author}">`).join('');
  expect(authorOf('', cited('citation_author', 'Lee, Ann', 'Co, Jose', 'Fox, Tom'))).toBe(
    'Ann Lee, Jose Co, Tom Fox',
  );
  expect(authorOf('', cited('dc.creator', 'Lee, Ann', 'Sa, Rui'))).toBe('Ann Lee, Rui Sa');
  expect(authorOf('', cited('dc.creator', 'Ann Lee', 'Acme Widgets GmbH'))).toBe('Ann Lee');
});

test.each([
  'Según la <a href="/e">encuesta</a> realizada por Cruz Roja, los lectores esperan más.',
  '<b>Badanie</b> przeprowadził Instytut Nauki.',
  'She said so in a <a href="/r">radio</a> interview by Max Power, and left.',
  'Das <i>dritte</i> Gespräch führte Max Power, und es war kurz.',
])('words of a sentence are no credit of an interview: %s', (sentence) => {
  expect(authorOf(`${prose()}<p>${sentence}</p>`)).toBeNull();
});

test('a full stop ends no name', () => {
  expect(authorOf(`${prose()}<p>Das Gespräch führte Ann Lee.</p>`)).toBe('Ann Lee');
  expect(authorOf('<p class="byline">By Jean Roy.</p>')).toBe('Jean Roy');
});

test('who answers is not the author of the question', () => {
  const by = (type: string, name: string) =>
    `<div itemscope itemtype="https://schema.org/${type}"><span itemprop="author">${name}</span></div>`;
  expect(authorOf(by('Answer', 'Bo Berg'))).toBeNull();
  expect(authorOf(by('Question', 'Ann Lee') + by('Answer', 'Bo Berg'))).toBe('Ann Lee');
});
