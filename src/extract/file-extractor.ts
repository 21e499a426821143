import { containerOf, type PdfReader, readingOf } from './documents/index.ts';
import {
  completeReading,
  couldNotBeRead,
  createExtractor,
  type Extraction,
  type ExtractorOptions,
  type FetchedFile,
} from './extract.ts';
import type { Trail } from './main-text/explain.ts';

export interface FileExtractorOptions extends ExtractorOptions {
  /** Reads PDFs in a process of its own; its creator closes it. */
  readonly readPdf: PdfReader['read'];
}

/** The extractor for all types: pages and office files directly, PDFs through their process. */
export function createFileExtractor(
  options: FileExtractorOptions,
): (fetched: FetchedFile, trail?: Trail) => Promise<Extraction> {
  const { readPdf, detectLanguage, now } = options;
  const extract = createExtractor(options);
  return async (fetched, trail) => {
    if (containerOf(fetched.bytes) !== 'pdf') return extract(fetched, trail);
    const outcome = await readPdf(fetched.bytes);
    if (outcome.kind === 'refused') return { kind: 'unreadable', why: outcome.why };
    const { text, properties } = outcome;
    const page = { url: fetched.url, now: now(), fileType: 'pdf', shownTitle: text.shownTitle } as const;
    try {
      return completeReading(readingOf(text, properties, page), detectLanguage);
    } catch {
      return couldNotBeRead;
    }
  };
}
