import { html } from 'hono/html';
import type { HighlightSegment } from '../../../contract/highlights.ts';
import type { PageSearchParams } from '../../../contract/page-search.ts';
import { maxResultPages, resultsPerPage } from '../../../contract/page-search.ts';
import type { SearchResult } from '../../../contract/search.ts';
import { searchPath } from '../../../contract/searxng.ts';
import type { SearchAnswer } from '../../../engine/engine.ts';
import { createFindMatches, highlightsOf } from '../../../engine/excerpt/highlights.ts';
import { oneLine } from '../../../text/line/one-line.ts';
import type { Ui } from '../ui/ui.ts';
import { externalWords } from './external-words.ts';
import type { Html } from './frame.ts';
import type { Library } from './people-parts.ts';
import { safeHref } from './safe-href.ts';

export interface ResultsOf {
  readonly params: PageSearchParams & { readonly q: string };
  readonly answer: SearchAnswer;
  /** The query as it was probably meant. */
  readonly meant: string | undefined;
  readonly library: Pick<Library, 'facts'>;
}

/** The answer to a search: everything below the form, the same for a whole page and for results as one types. */
export function searchResults(ui: Ui, { params, answer, meant, library }: ResultsOf): Html {
  const { t } = ui;
  const { total, results, partial, external } = answer;
  const matches = createFindMatches(params.q, params.lang);
  const entry = (result: SearchResult, level: 2 | 3, more: Html | '' = '') => {
    const title = oneLine(result.title) || result.url;
    const shown = { ...result, title, snippet: oneLine(result.snippet) };
    return resultEntry(ui, { result: shown, level, more, params, library, ...highlightsOf(shown, matches) });
  };
  // What is typed asks no other service, so there is nothing to say about them.
  const said = params.part === undefined ? externalWords(ui, external, total) : undefined;
  const lacking = partial?.matches ?? [];
  return html`<p class="count">${total === 0 ? t.noResults : t.results(ui.number(total), total === 1)}${
    params.pageno > 1 ? html` · ${t.pageNumber(ui.number(params.pageno))}` : ''
  }</p>
${meant === undefined ? '' : html`<p>${t.didYouMean} <a href="${ui.href(searchPath, { ...params, ...firstPage, q: meant })}" dir="auto">${oneLine(meant)}</a>?</p>`}
${said === undefined ? '' : html`<p class="notice">${said}</p>`}
${total === 0 ? html`<p class="hint">${t.noResultsAdvice}</p>` : ''}
<ol class="results">${results.map((result) => entry(result, 2))}</ol>
${
  lacking.length === 0
    ? ''
    : html`<section aria-labelledby="partial"><h2 id="partial">${t.partial}</h2>
${unknownWords(ui, partial?.unknownWords ?? [])}
<ol class="results">${lacking.map((match) => {
        const words = ui.list(match.missing_words.map(oneLine));
        return entry(match, 3, html`<p class="hint" dir="auto">${t.without} ${words}</p>`);
      })}</ol></section>`
}
${paging(ui, params, total)}`;
}

function unknownWords({ t, list }: Ui, words: readonly string[]): Html | '' {
  if (words.length === 0) return '';
  return html`<p class="hint">${t.unknownWords(list(words.slice(0, maxNamedWords).map(oneLine)))}</p>`;
}

const maxNamedWords = 8;
const firstPage = { part: undefined, pageno: undefined } as const;

interface EntryOf {
  readonly result: SearchResult;
  readonly title: readonly HighlightSegment[];
  readonly snippet: readonly HighlightSegment[];
  readonly level: 2 | 3;
  /** What else stands below the snippet. */
  readonly more: Html | '';
  readonly params: ResultsOf['params'];
  readonly library: Pick<Library, 'facts'>;
}

function resultEntry(ui: Ui, { result, title, snippet, level, more, params, library }: EntryOf): Html {
  const { t } = ui;
  const { id, url, site_name, lang, source, published_at, crawled_at } = result;
  const { host, pathname } = new URL(url);
  const language = lang === 'und' ? '' : html` lang="${lang}"`;
  const readHere = ui.href(`/page/${id}`, { find: params.q });
  const link = html`<a href="${safeHref(url) ?? readHere}" rel="noreferrer noopener nofollow" dir="auto"${language}>${segments(title)}</a>`;
  const type = library.facts(id)?.fileType;
  const names = [site_name === undefined ? '' : oneLine(site_name), `${host}${readablePath(pathname)}`];
  return html`<li>
${level === 2 ? html`<h2>${link}</h2>` : html`<h3>${link}</h3>`}
<p class="where" dir="auto">${names.filter((name) => name !== '').join(' · ')}</p>
<p dir="auto"${language}>${segments(snippet)}</p>${more}
<div class="meta"><span>${source === 'local' ? t.local : t.external}</span>
${lang === 'und' ? '' : html`<span>${ui.languageName(lang)}</span>`}
<span>${published_at ? t.published(ui.date(published_at)) : t.crawled(ui.date(crawled_at))}</span>
${type === undefined || type === 'html' ? '' : html`<span>${type.toUpperCase()}</span>`}
${id === '' ? '' : html`<a href="${readHere}">${t.read}</a>`}
${host === '' || params.site === host ? '' : html`<a href="${ui.href(searchPath, { ...params, ...firstPage, site: host })}">${t.onlyThisSite}</a>`}
</div></li>`;
}

/** Text with what matches marked. */
function segments(list: readonly HighlightSegment[]): Html[] {
  return list.map(({ text, match }) => (match ? html`<mark>${text}</mark>` : html`${text}`));
}

const maxPathLength = 80;

/** A path as people read it; as it is where it is not percent-encoded UTF-8. */
function readablePath(pathname: string): string {
  const path = oneLine(decoded(pathname));
  if (path === '/') return '';
  return path.length > maxPathLength ? `${path.slice(0, maxPathLength).toWellFormed()}…` : path;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function paging(ui: Ui, params: ResultsOf['params'], total: number): Html | '' {
  const { t } = ui;
  const last = Math.min(maxResultPages, Math.ceil(total / resultsPerPage));
  const { pageno } = params;
  if (params.part !== undefined || last <= 1) return '';
  const to = (page: number) => ui.href(searchPath, { ...params, pageno: page === 1 ? undefined : page });
  return html`<nav class="paging" aria-label="${t.paging}">
${pageno > 1 ? html`<a href="${to(Math.min(pageno - 1, last))}" rel="prev">${t.previous}</a>` : html`<span></span>`}
${pageno < last ? html`<a href="${to(pageno + 1)}" rel="next">${t.next}</a>` : ''}
</nav>`;
}
