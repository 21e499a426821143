import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from '../../src/engine/engine.ts';
import type { Page } from '../../src/page.ts';
import { silentLog } from '../../src/runtime.ts';
import { pageId } from '../../src/store/page/page-id.ts';
import { openApp } from '../opensearch/open-app.ts';

const crawledAt = Date.parse('2026-03-01T12:00:00.000Z');

function page(url: string, title: string, body: string, more: Partial<Page> = {}): Page {
  const head = {
    id: pageId(url),
    url,
    title,
    description: '',
    siteName: null,
    author: null,
    publishedAt: null,
  };
  const wordCount = body.split(/\s+/).length;
  return { ...head, crawledAt, lang: 'en', fileType: 'html', wordCount, headings: '', body, ...more };
}

const chapters = Array.from(
  { length: 300 },
  (_, number) =>
    `Chapter ${number} of the heron almanac. The heron stands still for an hour 🪶 and then moves.`,
);

export const heronAlmanac = page('https://birds.example/heron', 'The heron\nalmanac', chapters.join('\n'), {
  author: 'A. Watcher',
  publishedAt: Date.parse('2025-06-01T00:00:00.000Z'),
  siteName: 'Birds',
});

export const owlNotes = page(
  'https://birds.example/owl',
  'Owl notes',
  'An owl hears better than a heron.\u2028Second result? No: the same line.',
);

export const databaseNotes = page('https://db.example/zh', '数据库笔记', '数据库的索引如何优化。', {
  lang: 'zh',
});

/** The real engine over a temporary data folder with three pages in it. */
export async function openLibrary(): Promise<{ engine: Engine; close(): Promise<void> }> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'gleaner-doors-'));
  const app = openApp({ config: { dataFolder }, log: silentLog });
  for (const each of [heronAlmanac, owlNotes, databaseNotes]) await app.pageWriter.put(each);
  return {
    engine: app.engine,
    close: async () => {
      await app.close();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

/** An engine of which every answer is `outcome`: for what the real one does only on a bad day. */
export function engineThat(outcome: (signal: AbortSignal | undefined) => Promise<never>): Engine {
  return {
    search: (_, options) => outcome(options?.signal),
    content: (_, options) => outcome(options?.signal),
    read: (_, options) => outcome(options?.signal),
    explain: () => outcome(undefined),
    didYouMean: () => outcome(undefined),
    visitsPages: false,
    mayShow: () => true,
    status: () => ({ pages: 0, searchable: 0 }),
  };
}
