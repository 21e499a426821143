import { createExtractor } from '../../src/extract/extract.ts';
import type { ExtractedPage } from '../../src/extract/extracted.ts';

export const now = Date.UTC(2026, 10, 20);

/** The extractor with a detector that says what was declared, so that no test depends on detection. */
export const extract = createExtractor({
  detectLanguage: (_, declared) => declared ?? 'und',
  now: () => now,
});

/** Reads a page that must be readable. */
export function readPage(
  source: string | Uint8Array,
  { url = 'https://www.example.org/guide/start', contentType = 'text/html' as string | null } = {},
): ExtractedPage {
  const bytes = typeof source === 'string' ? Buffer.from(source) : source;
  const extraction = extract({ url, bytes, contentType });
  if (extraction.kind !== 'page') throw new Error(`unreadable: ${extraction.why}`);
  return extraction.page;
}

/** Enough prose for a page to have a main text. */
export const prose = (topic = 'posting lists') =>
  `<p>This paragraph says something about ${topic}, in a sentence that is long enough to be read as prose.</p>
   <p>Another paragraph follows, because a page with a single sentence about ${topic} is hardly a page at all.</p>`;
