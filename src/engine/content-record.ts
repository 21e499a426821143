import type { ContentRecord } from '../contract/content.ts';
import type { Page } from '../page.ts';

/** A stored page in the format of the API. */
export function contentRecord(page: Page, hasLlmsTxt: boolean): ContentRecord {
  return {
    id: page.id,
    url: page.url,
    title: page.title,
    body_text: page.body,
    author: page.author,
    published_at: toIsoTime(page.publishedAt),
    ...(page.publishedDay !== undefined && { published_day: page.publishedDay }),
    lang: page.lang,
    word_count: page.wordCount,
    crawled_at: new Date(page.crawledAt).toISOString(),
    has_llms_txt: hasLlmsTxt,
  };
}

/** ISO 8601 in UTC with milliseconds. */
export function toIsoTime(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
