import type { Page } from '../page.ts';
import type { ExtractedPage } from './extracted.ts';

/**
 * The page to store for what was extracted from a URL; the URL is the title of a page without one. The order of the fields
 * is part of the content hash by which a visit tells that a page has not changed.
 */
export function pageFromExtraction(
  extracted: ExtractedPage,
  { isPrivate, ...identity }: Pick<Page, 'id' | 'url' | 'crawledAt' | 'isPrivate'>,
): Page {
  const { title, otherTitles, description, headings, body, structure } = extracted;
  const { siteName, author, publishedAt, publishedDay, lang, fileType, wordCount, linkShare } = extracted;
  return {
    ...identity,
    title: title === '' ? identity.url : title,
    ...(otherTitles !== undefined && { otherTitles }),
    description,
    headings,
    body,
    ...(structure !== undefined && { structure }),
    siteName,
    author,
    publishedAt,
    ...(publishedDay !== undefined && { publishedDay }),
    lang,
    fileType,
    wordCount,
    ...(linkShare !== undefined && { linkShare }),
    ...(isPrivate && { isPrivate }),
  };
}
