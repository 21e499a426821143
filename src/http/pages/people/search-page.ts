import { html } from 'hono/html';
import { PageSearchParams, resultsPerPage } from '../../../contract/page-search.ts';
import { createParameterReader } from '../../../contract/parameters.ts';
import { maxOffset, type SearchParams } from '../../../contract/search.ts';
import { periodRanges } from '../../../contract/time-range.ts';
import { searchTokens } from '../../../engine/search-tokens.ts';
import { oneLine } from '../../../text/line/one-line.ts';
import { truncate } from '../../../text/line/truncate.ts';
import { maxAgeSeconds } from '../../cacheable-response.ts';
import type { RouteHandler } from '../../mount-route.ts';
import { readQueryString } from '../../query-string.ts';
import { searchFor } from '../../search-for.ts';
import { frame } from './frame.ts';
import type { PeopleParts } from './people-parts.ts';
import { searchForm } from './search-form.ts';
import { type ResultsOf, searchResults } from './search-results.ts';
import { pageRoute, sendPage } from './send-page.ts';
import { welcome } from './welcome.ts';

const names = Object.keys(PageSearchParams.shape);
const read = createParameterReader(PageSearchParams);

type AskedParams = ResultsOf['params'];

/** `/search` for people: the box, the filters and, with a query, its results; also `/`, which is the same page. */
export function createSearchPage({ engineOf, rateLimit, library, showsStatus }: PeopleParts): RouteHandler {
  return pageRoute(async (c, ui) => {
    const { values, errors } = readQueryString(c.req.url, names);
    const { q, ...filters } = read(values.q?.trim() === '' ? { ...values, q: '' } : values, errors);
    const options = { ui, current: 'search', showsStatus: showsStatus(c) } as const;
    const { t } = ui;
    if (q === undefined) {
      const first = library.isNew() ? welcome(ui, new URL(c.req.url).origin) : '';
      const main = html`<h1 class="hidden">${t.searchPage}</h1>${searchForm(ui, '', filters)}${first}
${emptyResults}`;
      return sendPage(c, frame({ ...options, title: 'Gleaner' }, main), 0);
    }

    const params: AskedParams = { q, ...filters };
    const isPart = params.part !== undefined;
    const search = toSearchParams(params);
    const work = () => searchFor(c, engineOf, search, { partial: true, external: !isPart });
    // Like suggestions, results as one types are of the larger share.
    const found = await (rateLimit
      ? rateLimit.run(
          c,
          isPart ? 'content' : 'search',
          isPart ? 1 : searchTokens({ q, limit: resultsPerPage }),
          work,
        )
      : work());
    const { answer } = found;
    const meant = found.meant === undefined ? undefined : withoutType(found.meant, params);
    const body = searchResults(ui, { params, answer, meant, library });
    if (isPart) return sendPage(c, String(body), maxAgeSeconds.search);
    const hosts = [...new Set(answer.results.map(({ url }) => new URL(url).host))].filter(
      (host) => host !== '',
    );
    const main = html`<h1 class="hidden">${t.searchPage}</h1>
${searchForm(ui, q, filters, hosts)}
${saidByScript}<div id="results">${body}</div>`;
    const page = frame({ ...options, title: `${truncate(oneLine(q), maxTitleLength)} – Gleaner` }, main);
    return sendPage(c, page, found.maxAgeSeconds);
  });
}

const maxTitleLength = 80;
/** Where the script says how many results there are, for those who do not see them change. */
const saidByScript = html`<p id="said" class="hidden" role="status"></p>`;
const emptyResults = html`${saidByScript}<div id="results"></div>`;

function toSearchParams(params: AskedParams): SearchParams {
  const { q, lang, language, time_range, site, pageno } = params;
  return {
    q: `${typePrefix(params)}${q}`,
    limit: resultsPerPage,
    offset: Math.min((pageno - 1) * resultsPerPage, maxOffset),
    ...(lang !== undefined && { lang }),
    ...(language !== undefined && { lang_priority: language }),
    ...(time_range !== undefined && { time_range: periodRanges[time_range] }),
    ...(site !== undefined && { site }),
  };
}

/** The query has an operator for the type; the parameters of a search have none. It stands first: a quote may be open. */
function typePrefix({ type }: AskedParams): string {
  return type === undefined ? '' : `filetype:${type} `;
}

function withoutType(q: string, params: AskedParams): string {
  const prefix = typePrefix(params);
  return q.startsWith(prefix) ? q.slice(prefix.length) : q;
}
