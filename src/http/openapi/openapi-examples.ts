import type { ContentRecord } from '../../contract/content.ts';
import type { Ready } from '../../contract/health.ts';
import type { SearchResponse } from '../../contract/search.ts';
import type { StatusReport } from '../../contract/status-report.ts';

const page = {
  id: '4r1k7n0c8v2m5x9e3tqw6zb0yd',
  url: 'https://docs.example.org/library/asyncio-task.html',
  title: 'Coroutines and tasks',
  lang: 'en',
  has_llms_txt: false,
  published_at: null,
  crawled_at: '2026-11-02T08:15:30.000Z',
};

/** One value for each parameter of a search; together they make sense. */
export const searchExample = {
  q: 'asyncio "task group" -trio',
  limit: 5,
  offset: 0,
  lang: 'en',
  time_range: '30d',
  site: 'docs.example.org',
  lang_priority: 'zh',
};

export const searchResponseExample: SearchResponse = {
  total: 42,
  took_ms: 3,
  results: [
    {
      ...page,
      snippet: 'A task group holds tasks that are awaited together when its block ends.',
      domain: 'docs.example.org',
      site_name: 'Example documentation',
      score: 12.7,
      source: 'local',
    },
    {
      ...page,
      id: '',
      url: 'https://elsewhere.example/structured-concurrency',
      title: 'Structured concurrency',
      snippet: 'Nurseries and task groups compared.',
      domain: 'elsewhere.example',
      score: 0.4,
      source: 'external',
    },
  ],
};

export const contentExample: ContentRecord = {
  ...page,
  body_text: 'Coroutines and tasks\nA task group holds tasks that are awaited together when its block ends.',
  author: 'A. Writer',
  word_count: 16,
};

export const readyExample: Ready = {
  status: 'ready',
  pages: 1042,
  searchable: 1042,
  providers: { wikipedia: 'ok' },
};

export const statusExample: StatusReport = {
  version: '1.2.3',
  uptime_seconds: 86_400,
  memory_bytes: 180_000_000,
  pages: 1042,
  searchable: 1042,
  copies: 12,
  disk_bytes: 64_000_000,
  storage: null,
  index: { segments: 2, live_pages: 18, unpacked_changes: 40 },
  requests: { in_flight: 1, waiting: 0 },
  limits: { search: '60/20', content: '120/40' },
  providers: [
    {
      name: 'wikipedia',
      asked_at: '2026-11-02T08:15:30.000Z',
      answered_at: '2026-11-02T08:15:30.000Z',
      took_ms: 210,
      failure: null,
      missing: null,
      retry_at: null,
      remaining: null,
    },
  ],
  crawls: [
    {
      host: 'docs.example.org',
      is_running: true,
      pages: 500,
      queued: 90,
      pages_per_minute: 60,
      expected_end: '2026-08-01T12:01:30.000Z',
    },
  ],
  host_count: 1,
  hosts: [
    {
      host: 'docs.example.org',
      pages: 1042,
      copies: 12,
      last_visit: '2026-11-02T08:15:30.000Z',
      next_visit: '2026-11-05T08:15:30.000Z',
      failures: [{ reason: 'not found', urls: 3 }],
    },
  ],
  surveyed_at: '2026-11-02T08:16:00.000Z',
};
