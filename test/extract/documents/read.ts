import { createExtractor } from '../../../src/extract/extract.ts';
import type { ExtractedPage } from '../../../src/extract/extracted.ts';

export const now = Date.UTC(2026, 10, 20);
const extract = createExtractor({ detectLanguage: (_, declared) => declared ?? 'und', now: () => now });

/** What the extractor says of these bytes: the page, or why not. */
export function read(
  bytes: Uint8Array,
  { url = 'https://x.example/files/plan', contentType = null as string | null } = {},
): ExtractedPage | string {
  const extraction = extract({ url, bytes, contentType });
  return extraction.kind === 'page' ? extraction.page : extraction.why;
}

export function readDocument(bytes: Uint8Array, url?: string): ExtractedPage {
  const page = read(bytes, url === undefined ? {} : { url });
  if (typeof page === 'string') throw new Error(`not read: ${page}`);
  return page;
}
