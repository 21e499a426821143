import { html } from 'hono/html';
import type { OutlineEntry } from '../../../contract/content.ts';
import { searchPath } from '../../../contract/searxng.ts';
import type { Engine, FoundRecord } from '../../../engine/engine.ts';
import { findPassages } from '../../../engine/excerpt/find-passages.ts';
import { createFindMatches } from '../../../engine/excerpt/highlights.ts';
import { blocksOf } from '../../../engine/markdown/blocks.ts';
import { contentAnswer } from '../../../engine/markdown/content-answer.ts';
import { outlineOf } from '../../../engine/markdown/outline.ts';
import { plainWords } from '../../../engine/plain-words.ts';
import { oneLine } from '../../../text/line/one-line.ts';
import { truncate } from '../../../text/line/truncate.ts';
import { maxAgeSeconds, sendCacheable } from '../../cacheable-response.ts';
import type { RouteHandler } from '../../mount-route.ts';
import { readQueryString } from '../../query-string.ts';
import type { Ui } from '../ui/ui.ts';
import { citedMarkdown } from './cited-markdown.ts';
import { frame, type Html } from './frame.ts';
import type { Library, PeopleParts } from './people-parts.ts';
import { headingId, passageId, textHtml } from './reader-text.ts';
import { safeHref } from './safe-href.ts';
import { pageRoute, sendPage } from './send-page.ts';

export const readerPath = '/page/:id';

/** Characters of a text on its page; the Markdown has all of it. */
const maxShownLength = 200_000;
const maxFindLength = 512;
const maxPassages = 5;
const maxPassageLength = 400;
/** Fewer headings need no table of contents. */
const minOutline = 3;
const maxOutline = 100;
const pagesOfSite = 5;

/** `/page/{id}`: the text of a stored page, for reading; with `format=markdown` the same with its citation, to copy. */
export function createReaderPage({ engineOf, rateLimit, library, showsStatus }: PeopleParts): RouteHandler {
  return pageRoute(async (c, ui) => {
    const id = c.req.param('id') ?? '';
    const { values } = readQueryString(c.req.url, ['find', 'format']);
    const { signal } = c.req.raw;
    const engine = engineOf(c);
    const counted = <Result>(work: () => Promise<Result>): Promise<Result> =>
      rateLimit ? rateLimit.run(c, 'content', 1, work) : work();
    if (values.format === 'markdown') {
      const answer = await counted(() => contentAnswer(engine, id, { format: 'markdown', signal }));
      const type = 'text/plain; charset=UTF-8';
      return sendCacheable(c, {
        body: citedMarkdown(answer),
        type,
        maxAgeSeconds: maxAgeSeconds.content,
      });
    }
    const page = await counted(() => engine.content(id, { signal, structure: true }));
    const find = oneLine(values.find ?? '').slice(0, maxFindLength);
    const title = oneLine(page.title) || page.url;
    const options = { ui, title: `${title} – Gleaner`, showsStatus: showsStatus(c) };
    return sendPage(
      c,
      frame(options, readerHtml(ui, { page, title, find, library, mayShow: engine.mayShow })),
      maxAgeSeconds.content,
    );
  });
}

interface Reading {
  readonly page: FoundRecord;
  readonly title: string;
  /** Words whose passages are wanted; empty without any. */
  readonly find: string;
  readonly library: Library;
  readonly mayShow: Engine['mayShow'];
}

function readerHtml(ui: Ui, { page, title, find, library, mayShow }: Reading): Html {
  const { t } = ui;
  const { id, url, body_text: body, lang, structure } = page;
  const { reader } = t;
  const length = shownLength(body);
  const shown = body.slice(0, length);
  const words = plainWords(find);
  const search = { words, start: 0, maxPassages, maxLength: maxPassageLength };
  const passages = words === '' ? [] : findPassages({ body: shown, title, lang }, search);
  const numbered = passages.map((passage, index) => ({ ...passage, number: index + 1 }));
  const marked = {
    matches: words === '' ? [] : createFindMatches(find)(shown, lang),
    passages: numbered.toSorted((a, b) => a.start - b.start),
  };
  const language = lang === 'und' ? '' : html` lang="${lang}"`;
  const outline = structure === undefined ? [] : outlineOf(body, structure);
  return html`<article>
<h1 dir="auto"${language}>${title}</h1>
${facts(ui, page, library)}
<div class="meta actions">
${safeHref(url) === undefined ? '' : html`<a href="${url}" rel="noreferrer noopener nofollow">${reader.source}</a>`}
<a href="${ui.href(`/page/${id}`, { format: 'markdown' })}">${reader.markdown}</a>
<button type="button" hidden data-copy="/page/${id}?format=markdown" data-copied="${reader.copied}">${reader.copy}</button>
<button type="button" hidden data-print>${reader.print}</button>
</div>
<search><form action="/page/${id}" method="get"><div class="box"><input type="search" name="find" value="${find}"
  aria-label="${reader.find}" dir="auto" maxlength="${maxFindLength}"><button>${reader.findHere}</button></div></form></search>
${find === '' ? '' : passageList(ui, numbered, shown)}
${contents(
  ui,
  outline.filter(({ start }) => start < length),
)}
${structure === undefined ? html`<p class="hint">${reader.plain}</p>` : ''}
<div class="text"${language}>${textHtml(blocksOf(body, structure, length), marked)}</div>
${length < body.length ? html`<p class="notice">${reader.cut}</p>` : ''}
</article>
${moreOfSite(ui, page, { library, mayShow })}`;
}

/** Ends with a line where there is one. */
function shownLength(body: string): number {
  if (body.length <= maxShownLength) return body.length;
  const lineEnd = body.lastIndexOf('\n', maxShownLength);
  return lineEnd > 0 ? lineEnd : maxShownLength;
}

function facts(ui: Ui, page: FoundRecord, library: Library): Html {
  const { t } = ui;
  const { id, url, author, published_at, published_day, crawled_at, lang, word_count } = page;
  const known = library.facts(id);
  const next = known?.nextVisitAt;
  const list = [
    new URL(url).host,
    author === null ? '' : t.reader.by(oneLine(author)),
    published_at === null ? '' : t.published(ui.date(published_day ?? published_at)),
    t.crawled(ui.date(crawled_at)),
    lang === 'und' ? '' : ui.languageName(lang),
    known === undefined || known.fileType === 'html' ? '' : known.fileType.toUpperCase(),
    t.reader.words(ui.number(word_count)),
    known === undefined ? '' : next === undefined ? t.reader.noNextVisit : t.reader.nextVisit(ui.date(next)),
  ];
  return html`<p class="where" dir="auto">${list.filter((fact) => fact !== '').join(' · ')}</p>`;
}

interface NumberedPassage {
  readonly start: number;
  readonly end: number;
  readonly number: number;
}

function passageList({ t }: Ui, passages: readonly NumberedPassage[], body: string): Html {
  if (passages.length === 0) return html`<p class="notice">${t.reader.noPassages}</p>`;
  const items = passages.map(
    ({ number, start, end }) =>
      html`<li><a href="#${passageId(number)}" dir="auto">${truncate(oneLine(body.slice(start, end)), maxListed)}</a></li>`,
  );
  return html`<section class="passages" aria-labelledby="passages"><h2 id="passages">${t.reader.passages}</h2><ol>${items}</ol></section>`;
}

const maxListed = 160;

function contents({ t }: Ui, outline: readonly OutlineEntry[]): Html | '' {
  if (outline.length < minOutline) return '';
  const items = outline
    .slice(0, maxOutline)
    .map(
      ({ title, start }) => html`<li><a href="#${headingId(start)}" dir="auto">${oneLine(title)}</a></li>`,
    );
  return html`<details class="actions"><summary>${t.reader.contents}</summary><ul>${items}</ul></details>`;
}

function moreOfSite(
  ui: Ui,
  { id, url }: FoundRecord,
  { library, mayShow }: Pick<Reading, 'library' | 'mayShow'>,
): Html | '' {
  const { host } = new URL(url);
  if (host === '') return '';
  const { t } = ui;
  const pages = library
    .pagesBeside(id, url, pagesOfSite, mayShow)
    .map(
      (page) =>
        html`<li><a href="${ui.href(`/page/${page.id}`)}" dir="auto"${page.lang === 'und' ? '' : html` lang="${page.lang}"`}>${oneLine(page.title)}</a></li>`,
    );
  return html`<section class="more" aria-labelledby="more"><h2 id="more">${t.reader.more(host)}</h2>
<ul>${pages}<li><a href="${ui.href(searchPath, { q: `site:${host}` })}">${t.reader.all}</a></li></ul></section>`;
}
