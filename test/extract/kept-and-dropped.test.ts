import { describe, expect, test } from 'vitest';
import { prose, readPage } from './extractor.ts';

const read = (body: string, url?: string) =>
  readPage(`<html><body>${body}</body></html>`, { ...(url && { url }) }).body;
const inMain = (body: string) => read(`<main>${prose()}${body}</main>`);

describe('forums', () => {
  const page = `<main><article>${prose()}</article><div class="comments"><p>I disagree with all of this, and here is why I do.</p></div></main>`;
  const faq =
    '<div itemscope itemtype="https://schema.org/FAQPage"><p itemscope itemtype="https://schema.org/Question">Why?</p></div>';

  test.each([
    'https://www.example.org/t/herons/7',
    'https://www.example.org/topics/12-herons',
    'https://www.example.org/ShowTopic-g29-Herons.html',
  ])('%s is a thread', (url) => {
    expect(read(page, url)).toContain('I disagree');
  });

  test.each(['https://www.example.org/t/office-chairs', 'https://www.example.org/topic/herons'])(
    '%s is a listing',
    (url) => {
      expect(read(page, url)).not.toContain('I disagree');
    },
  );

  test('questions that the site answers itself make no forum', () => {
    expect(read(page + faq)).not.toContain('I disagree');
    expect(read(page + faq.replace('FAQPage', 'QAPage'))).toContain('I disagree');
  });
});

describe('labels', () => {
  test.each([
    '<a href="/all">Read more »</a>',
    '<p><a href="/cart">Add to cart</a></p>',
    '<div><span>Weiterlesen</span></div>',
    '<p>© 2024 Example Ltd. All rights reserved.</p>',
    '<div>【打印】</div>',
    '<div>当前位置：首页 &gt; 新闻中心 &gt; 正文</div>',
    '<p>来源：某某日报 作者：张三 发布时间：2024-03-05</p>',
    '<div>版权所有：某某大学 京ICP备12345678号</div>',
    '<div>时间：2024-03-05 来源：某某日报</div>',
  ])('%s is left out', (label) => {
    expect(inMain(`${label}<p>The last words of the page are these.</p>`)).toBe(
      inMain('<p>The last words of the page are these.</p>'),
    );
  });

  test('words of a sentence, names of functions and headings stay', () => {
    const body = inMain(
      `<p>Then press <b>Read more</b> to go on.</p><h3>close</h3><p>Ends the stream and frees what it holds.</p>
       <ul><li>search</li><li>print</li></ul><p>作者：这里说的是一篇文章的作者，而不是这个页面的作者，所以这句话应当保留下来，不能删去任何一个字。</p>`,
    );
    expect(body).toContain('press Read more to go on');
    expect(body).toContain('close\n\nEnds the stream');
    expect(body).toContain('- search\n- print');
    expect(body).toContain('作者：这里说的是');
  });
});

test('sentences about notices, and when an event is, stay', () => {
  const body = inMain(
    '<p>网站上线之前需要先办理ICP备案。</p><p>这张照片的版权所有者是谁？</p><p>日期：5月6日 时间：九点整</p>',
  );
  expect(body).toContain('办理ICP备案');
  expect(body).toContain('版权所有者是谁');
  expect(body).toContain('日期：5月6日');
});

describe('the root', () => {
  const lead = 'The heron has come back to the river after forty years of absence.';

  test.each([
    `<p>${lead}</p>`,
    '<div class="article-teaser"><span>The heron has come back to the river after forty years</span></div>',
  ])('is joined by the lead before it: %s', (markup) => {
    const body = read(
      `<div><div class="promo-row"><p>Buy our calendar for the coming year, with herons on it.</p></div>
       <article><h1>Herons</h1>${markup}<div><a href="/share">Send</a></div><div class="entry-content">${prose()}</div></article></div>`,
    );
    expect(body).toContain('The heron has come back');
    expect(body).not.toContain('calendar');
    expect(body).not.toContain('Send');
  });

  test('is joined by the other blocks of its class', () => {
    const part = (topic: string) => `<div class="article-text">${prose(topic)}</div>`;
    const body = read(
      `<div><h1>Herons</h1>${part('herons')}<div class="box"><p>A box about the shop, between both of the parts.</p></div>${part('egrets')}</div>`,
    );
    expect(body).toContain('something about herons');
    expect(body).toContain('something about egrets');
    expect(body).not.toContain('about the shop');
  });

  test('is the block with the sentences where no name says it', () => {
    const cells = Array.from({ length: 14 }, (_, n) => `<td>Gauge ${n} at the lower river bridge</td>`);
    const text = Array.from({ length: 4 }, () => prose('herons')).join('');
    const body = read(
      `<table><tr>${cells.join('')}</tr><tr><td colspan="14"><div><div>${text}</div><div>Counter 12345 of this week</div></div></td></tr></table>`,
    );
    expect(body).toContain('something about herons');
    expect(body).not.toContain('Gauge 3');
  });

  test('is no introduction to a list that holds more', () => {
    const item = (n: number) =>
      `<li><a href="/p/${n}"><h3>Chair number ${n} with arms and wheels</h3></a><span>$${n}5.00</span></li>`;
    const items = Array.from({ length: 40 }, (_, n) => item(n + 10)).join('');
    const body = read(
      `<main><div><p>Chairs for every desk, in all colours.</p></div><ul>${items}</ul></main>`,
    );
    expect(body).toContain('Chair number 30');
    expect(body).toContain('for every desk');
  });
});

describe('what is content in spite of its place', () => {
  test('the name of a product in its card', () => {
    const card = (n: number) =>
      `<div class="card"><div><a href="/p/${n}">Watch ${n}</a></div><div>$${n}9.00</div></div>`;
    const body = inMain(`<div>${[1, 2, 3].map(card).join('')}</div>`);
    expect(body).toContain('Watch 2');
  });

  test('what customers say, and the report of a match', () => {
    expect(inMain('<div class="testimonials-comments"><p>A fine course on herons.</p></div>')).toContain(
      'A fine course',
    );
    expect(inMain('<div class="live-match-comment"><p>A shot at the far post.</p></div>')).toContain(
      'far post',
    );
  });

  test('a question whose heading is the button of its answer, and panels in a list of tabs', () => {
    expect(inMain('<h3><button aria-expanded="false">Which bits does it include?</button></h3>')).toContain(
      'Which bits',
    );
    expect(inMain(`<div role="tablist"><div role="tabpanel">${prose('panels')}</div></div>`)).toContain(
      'something about panels',
    );
  });

  test('a block whose id is the address of its heading, or whose class only says how it looks', () => {
    expect(inMain(`<div id="how-popular-are-cookies-here-today">${prose('rye')}</div>`)).toContain(
      'about rye',
    );
    expect(inMain(`<div class="typography-caption">${prose('barley')}</div>`)).toContain('about barley');
  });
});

describe('what is no content', () => {
  test.each([
    '<h2>No Responses so far</h2><p>Say something about herons here.</p>',
    '<h3>3 Kommentare</h3><p>Das sehe ich anders als der Verfasser.</p>',
    '<h3>相关阅读</h3><p>另一篇文章的标题</p>',
    '<h3>Weitere Nachrichten aus der Region</h3><p>Der Fluss führt wieder Wasser.</p>',
    '<p><strong>Schon gelesen?</strong></p><p><a href="/a">The river has water again</a></p>',
    '<figure><img src="a.jpg"><span>Photo: A. Lee</span></figure>',
    '<div class="quick-order-list"><p>Blue, forty litres, none in the cart yet.</p></div>',
    '<div class="shariff"><p>Like it and tell your friends of it.</p></div>',
  ])('%s', (markup) => {
    expect(inMain(markup)).toBe(inMain(''));
  });
});
