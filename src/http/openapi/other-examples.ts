import type { z } from 'zod';
import type {
  OpenWebUiDocuments,
  OpenWebUiQuery,
  OpenWebUiResults,
  OpenWebUiUrls,
} from '../../contract/open-webui.ts';
import type { SearxngResponse } from '../../contract/searxng.ts';
import type { Suggestions } from '../../contract/suggestions.ts';
import { contentExample, searchResponseExample } from './openapi-examples.ts';

const [local] = searchResponseExample.results as [(typeof searchResponseExample)['results'][number]];

/** One value for each parameter of SearXNG; together they make sense. */
export const searxngExample = {
  q: 'asyncio "task group"',
  format: 'json',
  categories: 'general',
  language: 'en',
  time_range: 'month',
  pageno: 1,
  safesearch: '1',
};

export const searxngResponseExample: SearxngResponse = {
  query: searxngExample.q,
  number_of_results: 1,
  results: [
    {
      url: local.url,
      title: local.title,
      content: local.snippet,
      publishedDate: '2026-11-02T08:15:30+00:00',
      thumbnail: '',
      engine: 'gleaner',
      template: 'default.html',
      parsed_url: ['https', 'docs.example.org', '/library/asyncio-task.html', '', '', ''],
      img_src: '',
      priority: '',
      engines: ['gleaner'],
      positions: [1],
      score: local.score,
      category: 'general',
    },
  ],
  answers: [],
  corrections: [],
  infoboxes: [],
  suggestions: [],
  unresponsive_engines: [['wikipedia', 'gave no answer in time']],
};

export const suggestionsExample: Suggestions = ['corout', [local.title]];

export const openWebUiExample: z.input<typeof OpenWebUiQuery> = { query: 'asyncio task group', count: 3 };

export const linksExample: OpenWebUiResults = [
  { link: local.url, title: local.title, snippet: local.snippet },
];

export const loadExample: OpenWebUiUrls = { urls: [local.url] };

export const documentsExample: OpenWebUiDocuments = [
  {
    page_content: contentExample.body_text,
    metadata: {
      source: local.url,
      title: contentExample.title,
      language: contentExample.lang,
      author: 'A. Writer',
      crawled_at: contentExample.crawled_at,
    },
  },
];
