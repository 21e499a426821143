import { createHash } from 'node:crypto';
import type { Page } from '../page.ts';
import type { Headers } from './fetch/fetch-outcome.ts';

/** Records by the id of their page. */
export const visitsTable = 'visits';

/** What a visit leaves for the next one. Valid only for the stored page with the same `crawledAt`. */
export interface VisitRecord {
  readonly crawledAt: number;
  readonly contentHash: string;
  readonly etag?: string;
  readonly lastModified?: string;
  /** A browser drew the page. */
  readonly rendered?: true;
}

/**
 * The hash is of the stored content, not of the bytes or links: tokens and advertisements change with every answer. A page
 * that scripts draw has this hash alone, because the validators of its document say nothing of a text that is elsewhere.
 */
export function recordFrom(
  { id, url, crawledAt, structure: _, ...content }: Page,
  { etag, 'last-modified': lastModified }: Headers,
): VisitRecord {
  return {
    crawledAt,
    contentHash: createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22),
    ...(etag !== undefined && { etag }),
    ...(lastModified !== undefined && { lastModified }),
  };
}
