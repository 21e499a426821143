import type { Page } from '../src/page.ts';
import { pageId } from '../src/store/page/page-id.ts';

/** A page with plausible values for everything that the test does not name. */
export function examplePage(fields: Partial<Page> & { url: string }): Page {
  const body = fields.body ?? 'An example page.';
  return {
    id: pageId(fields.url),
    title: 'Example',
    description: '',
    headings: '',
    body,
    siteName: null,
    author: null,
    publishedAt: null,
    crawledAt: Date.UTC(2026, 0, 1),
    lang: 'en',
    fileType: 'html',
    wordCount: body.split(/\s+/).length,
    ...fields,
  };
}
