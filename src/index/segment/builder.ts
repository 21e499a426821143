import type { Page } from '../../page.ts';
import type { PerField } from '../bm25f.ts';

/**
 * Packs pages into the bytes of a segment file (docs/segment-format.md); the array spans its whole buffer.
 * Throws `RangeError` for more than 65,536 pages and for two pages with one id.
 */
export function buildSegment(
  _pages: Iterable<Page>,
  _options: { readonly averageLengths: PerField },
): Uint8Array<ArrayBuffer> {
  throw new Error('not there yet');
}
