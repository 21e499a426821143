import type { ProviderName } from '../../src/external/provider-facts.ts';
import type { ProviderResult } from '../../src/external/search-provider.ts';

/** A service's answer in the form that its documentation gives, with one result in it that has lost its form. */
export interface Documented {
  /** What stands for the address in the settings, below the origin of the server. */
  readonly base?: string;
  readonly path: string;
  readonly answer: unknown;
  readonly expected: readonly ProviderResult[];
  /** The same service with nothing to show. */
  readonly empty: unknown;
  /** Where the key has to be in the request. */
  readonly key?:
    | { readonly header: string; readonly value: (key: string) => string }
    | { readonly parameter: string };
}

const bearer = { header: 'authorization', value: (key: string) => `Bearer ${key}` };
const result = (
  url: string,
  title: string,
  snippet: string,
  rest: Partial<ProviderResult> = {},
): ProviderResult => ({
  url,
  title,
  snippet,
  publishedAt: null,
  lang: null,
  ...rest,
});

export const documented: Readonly<Record<ProviderName, Documented>> = {
  searxng: {
    path: '/search',
    answer: {
      query: 'tokio runtime',
      results: [
        {
          url: 'https://tokio.rs/tokio/tutorial',
          title: 'Tutorial | Tokio',
          content: 'Tokio is an asynchronous runtime for <Rust>.',
          engine: 'duckduckgo',
          engines: ['duckduckgo', 'brave'],
          score: 4,
          category: 'general',
          publishedDate: '2024-03-01T00:00:00',
        },
        { url: 17, title: 'odd' },
        { url: 'https://docs.rs/tokio', title: 'tokio - Rust', content: null, publishedDate: null },
      ],
      answers: [],
      corrections: [],
      infoboxes: [],
      suggestions: [],
      unresponsive_engines: [],
    },
    expected: [
      result(
        'https://tokio.rs/tokio/tutorial',
        'Tutorial | Tokio',
        'Tokio is an asynchronous runtime for <Rust>.',
        {
          publishedAt: Date.UTC(2024, 2, 1),
        },
      ),
      result('https://docs.rs/tokio', 'tokio - Rust', ''),
    ],
    empty: { query: 'x', results: [], unresponsive_engines: [] },
  },
  brave: {
    path: '/res/v1/web/search',
    key: { header: 'x-subscription-token', value: (key) => key },
    answer: {
      type: 'search',
      query: { original: 'tokio runtime', more_results_available: true },
      web: {
        type: 'search',
        results: [
          {
            title: 'Tokio &amp; friends',
            url: 'https://tokio.rs/',
            is_source_local: false,
            description: 'An <strong>asynchronous</strong> runtime&#x27;s home',
            page_age: '2023-05-06T07:08:09',
            language: 'en',
            family_friendly: true,
            type: 'search_result',
          },
          { title: 'odd', url: null },
          { title: '東京', url: 'https://example.jp/', description: '', language: 'jp' },
        ],
      },
    },
    expected: [
      result('https://tokio.rs/', 'Tokio & friends', "An asynchronous runtime's home", {
        publishedAt: Date.UTC(2023, 4, 6, 7, 8, 9),
        lang: 'en',
      }),
      result('https://example.jp/', '東京', '', { lang: 'ja' }),
    ],
    empty: { type: 'search', query: { original: 'x', more_results_available: false } },
  },
  tavily: {
    path: '/search',
    key: bearer,
    answer: {
      query: 'tokio runtime',
      answer: null,
      images: [],
      results: [
        {
          title: 'Tokio',
          url: 'https://tokio.rs/',
          content: 'Build reliable\nnetwork applications.',
          score: 0.98,
          raw_content: null,
          published_date: 'Tue, 07 May 2024 10:00:00 GMT',
        },
        'odd',
        { title: 'Runtime', url: 'https://docs.rs/tokio/runtime', content: 'The runtime.', score: 0.5 },
      ],
      response_time: 0.8,
      request_id: 'r1',
    },
    expected: [
      result('https://tokio.rs/', 'Tokio', 'Build reliable network applications.', {
        publishedAt: Date.UTC(2024, 4, 7, 10),
      }),
      result('https://docs.rs/tokio/runtime', 'Runtime', 'The runtime.'),
    ],
    empty: { query: 'x', results: [] },
  },
  exa: {
    path: '/search',
    key: { header: 'x-api-key', value: (key) => key },
    answer: {
      requestId: 'b5947044c4b78efa9552a7c89b306d95',
      results: [
        {
          id: 'https://tokio.rs/',
          url: 'https://tokio.rs/',
          title: null,
          publishedDate: '2023-11-16T01:36:32.547Z',
          author: 'Tokio',
          highlights: ['An asynchronous runtime.', 'It is fast.'],
        },
        { id: 'odd' },
        {
          id: 'x',
          url: 'https://docs.rs/tokio',
          title: 'tokio',
          text: 'A runtime for writing applications.',
        },
      ],
      costDollars: { total: 0.005 },
    },
    expected: [
      result('https://tokio.rs/', '', 'An asynchronous runtime. … It is fast.', {
        publishedAt: Date.parse('2023-11-16T01:36:32.547Z'),
      }),
      result('https://docs.rs/tokio', 'tokio', 'A runtime for writing applications.'),
    ],
    empty: { requestId: 'x', results: [] },
  },
  mojeek: {
    path: '/search',
    key: { parameter: 'api_key' },
    answer: {
      response: {
        status: 'OK',
        head: { query: 'tokio runtime', results: 4711, return: 3 },
        results: [
          { url: 'https://tokio.rs/', title: 'Tokio', desc: 'An asynchronous <b>runtime</b> &amp; more' },
          { url: ['odd'] },
          { url: 'https://docs.rs/tokio', title: 'tokio', desc: 'Docs' },
        ],
      },
    },
    expected: [
      result('https://tokio.rs/', 'Tokio', 'An asynchronous runtime & more'),
      result('https://docs.rs/tokio', 'tokio', 'Docs'),
    ],
    empty: { response: { status: 'OK', head: { results: 0 }, results: [] } },
  },
  kagi: {
    path: '/api/v1/search',
    key: bearer,
    answer: {
      meta: { id: 'x', ms: 120 },
      data: {
        search: [
          {
            url: 'https://tokio.rs/',
            title: 'Tokio',
            snippet: 'Tokio&#39;s runtime',
            time: '2024-01-02T03:04:05Z',
            props: {},
          },
          { url: {}, title: 'odd' },
          { url: 'https://docs.rs/tokio', title: 'tokio', snippet: null },
        ],
      },
    },
    expected: [
      result('https://tokio.rs/', 'Tokio', "Tokio's runtime", { publishedAt: Date.UTC(2024, 0, 2, 3, 4, 5) }),
      result('https://docs.rs/tokio', 'tokio', ''),
    ],
    empty: { meta: {}, data: {} },
  },
  serper: {
    path: '/search',
    key: { header: 'x-api-key', value: (key) => key },
    answer: {
      searchParameters: { q: 'tokio runtime', type: 'search' },
      organic: [
        { title: 'Tokio', link: 'https://tokio.rs/', snippet: 'A runtime', date: 'Jan 5, 2024', position: 1 },
        { title: 'odd', link: 5 },
        { title: 'tokio', link: 'https://docs.rs/tokio', snippet: 'Docs', position: 2 },
      ],
      credits: 1,
    },
    expected: [
      result('https://tokio.rs/', 'Tokio', 'A runtime', { publishedAt: Date.UTC(2024, 0, 5) }),
      result('https://docs.rs/tokio', 'tokio', 'Docs'),
    ],
    empty: { searchParameters: {}, organic: [] },
  },
  marginalia: {
    path: '/search',
    key: { header: 'api-key', value: (key) => key },
    answer: {
      license: 'CC-BY-NC-SA 4.0',
      query: 'tokio runtime',
      page: 1,
      pages: 2,
      results: [
        {
          url: 'https://tokio.rs/',
          title: 'Tokio',
          description: 'A runtime',
          quality: 4.2,
          format: 'HTML5',
          resultsFromDomain: 3,
          details: [],
        },
        { url: null },
        { url: 'https://docs.rs/tokio', title: 'tokio', description: 'Docs' },
      ],
    },
    expected: [
      result('https://tokio.rs/', 'Tokio', 'A runtime'),
      result('https://docs.rs/tokio', 'tokio', 'Docs'),
    ],
    empty: { license: 'CC-BY-NC-SA 4.0', query: 'x', page: 1, pages: 0, results: [] },
  },
  wikipedia: {
    base: '/w/api.php',
    path: '/w/api.php',
    answer: wiki('//en.wikipedia.org', 'https://en.wikipedia.org'),
    expected: [
      result(
        'https://en.wikipedia.org/wiki/Tokio_(software)',
        'Tokio (software)',
        'Tokio is a software library & runtime',
        { lang: 'en' },
      ),
      result('https://en.wikipedia.org/wiki/AC/DC:_Live%3F', 'AC/DC: Live?', '', { lang: 'en' }),
    ],
    empty: emptyWiki('//en.wikipedia.org'),
  },
  mediawiki: {
    base: '/w/api.php',
    path: '/w/api.php',
    answer: wiki('https://wiki.example.org', ''),
    expected: [
      result(
        'https://wiki.example.org/wiki/Tokio_(software)',
        'Tokio (software)',
        'Tokio is a software library & runtime',
        { lang: 'en' },
      ),
      result('https://wiki.example.org/wiki/AC/DC:_Live%3F', 'AC/DC: Live?', '', { lang: 'en' }),
    ],
    empty: emptyWiki('https://wiki.example.org'),
  },
  mwmbl: {
    path: '/api/v1/search/',
    key: { header: 'x-api-key', value: (key) => key },
    answer: [
      {
        url: 'https://tokio.rs/',
        title: [
          { value: 'Tokio', is_bold: true },
          { value: ' - a runtime', is_bold: false },
        ],
        extract: [
          { value: 'Build reliable ', is_bold: false },
          { value: 'applications', is_bold: true },
        ],
        source: 'mwmbl',
      },
      { url: 'https://odd.example/', title: 'not in pieces' },
      { url: 'https://docs.rs/tokio', title: [{ value: 'tokio', is_bold: true }], extract: null },
    ],
    expected: [
      result('https://tokio.rs/', 'Tokio - a runtime', 'Build reliable applications'),
      result('https://docs.rs/tokio', 'tokio', ''),
    ],
    empty: [],
  },
  stackexchange: {
    path: '/2.3/search/advanced',
    key: { parameter: 'key' },
    answer: {
      items: [
        {
          question_id: 1,
          title: 'What is the &quot;current_thread&quot; runtime?',
          link: 'https://stackoverflow.com/questions/1/what-is',
          body: '<p>I use <code>tokio::main</code> &amp; wonder.</p>\n<p>Why?</p>',
          tags: ['rust'],
          is_answered: true,
          creation_date: 1_600_000_000,
        },
        { question_id: 2, link: 3 },
        { title: 'Other', link: 'https://stackoverflow.com/questions/2/other', creation_date: 'odd' },
      ],
      has_more: true,
      quota_max: 300,
      quota_remaining: 250,
    },
    expected: [
      result(
        'https://stackoverflow.com/questions/1/what-is',
        'What is the "current_thread" runtime?',
        'I use tokio::main & wonder. Why?',
        { publishedAt: 1_600_000_000_000 },
      ),
      result('https://stackoverflow.com/questions/2/other', 'Other', ''),
    ],
    empty: { items: [], has_more: false, quota_max: 300, quota_remaining: 249 },
  },
  hackernews: {
    path: '/api/v1/search',
    answer: {
      hits: [
        {
          objectID: '42',
          title: 'Tokio 1.0',
          url: 'https://tokio.rs/blog/1-0',
          author: 'carllerche',
          points: 500,
          num_comments: 120,
          story_text: null,
          created_at: '2020-12-23T17:00:00Z',
          created_at_i: 1_608_742_800,
        },
        { objectID: 43, title: 'odd' },
        {
          objectID: '44',
          title: 'Ask HN: Vec<T> or tokio?',
          url: null,
          author: 'x',
          story_text: 'I <i>wonder</i>.<p>Really.',
          created_at_i: 1_608_742_800,
        },
      ],
      nbHits: 3,
      nbPages: 2,
      page: 0,
      hitsPerPage: 20,
    },
    expected: [
      result(
        'https://tokio.rs/blog/1-0',
        'Tokio 1.0',
        'Posted on Hacker News by carllerche: 500 points, 120 comments',
        { publishedAt: 1_608_742_800_000 },
      ),
      result('https://news.ycombinator.com/item?id=44', 'Ask HN: Vec<T> or tokio?', 'I wonder. Really.', {
        publishedAt: 1_608_742_800_000,
      }),
    ],
    empty: { hits: [], nbHits: 0, nbPages: 0, page: 0 },
  },
  gleaner: {
    path: '/api/v1/search',
    key: bearer,
    answer: {
      total: 3,
      took_ms: 2,
      results: [
        {
          id: '0123456789abcdefghjkmnpqrs',
          url: 'https://tokio.rs/',
          title: 'Tokio',
          snippet: 'A runtime',
          domain: 'tokio.rs',
          lang: 'en',
          score: 3.2,
          source: 'local',
          has_llms_txt: false,
          published_at: '2024-01-01T00:00:00.000Z',
          crawled_at: '2026-01-01T00:00:00.000Z',
        },
        { url: false },
        {
          id: '',
          url: 'https://docs.rs/tokio',
          title: 'tokio',
          snippet: 'Docs',
          lang: 'und',
          published_at: null,
        },
      ],
    },
    expected: [
      result('https://tokio.rs/', 'Tokio', 'A runtime', { publishedAt: Date.UTC(2024, 0, 1), lang: 'en' }),
      result('https://docs.rs/tokio', 'tokio', 'Docs'),
    ],
    empty: { total: 0, took_ms: 1, results: [] },
  },
};

function wiki(server: string, base: string): unknown {
  return {
    batchcomplete: true,
    continue: { sroffset: 20, continue: '-||' },
    query: {
      general: { base, server, articlepath: '/wiki/$1', lang: 'en', sitename: 'Wiki' },
      search: [
        {
          ns: 0,
          title: 'Tokio (software)',
          pageid: 1,
          snippet: '<span class="searchmatch">Tokio</span> is a software library &amp; runtime',
        },
        { ns: 0, title: 7 },
        { ns: 0, title: 'AC/DC: Live?', pageid: 2 },
      ],
    },
  };
}

function emptyWiki(server: string): unknown {
  return {
    batchcomplete: true,
    query: { general: { server, articlepath: '/wiki/$1', lang: 'en' }, search: [] },
  };
}
