import type { CrawlSummary } from '../../crawl/crawl-tally.ts';
import type { ImportSummary } from '../../import/import.ts';

const reasonsNamed = 3;

/** Why a crawl that stored no page exits with 1, in a line for stderr. */
export function whyNoPage({ failed, moved, left, refusedByRobots }: CrawlSummary): string {
  const reasons = {
    ...failed,
    ...moved,
    ...(refusedByRobots > 0 && { 'refused by robots.txt': refusedByRobots }),
    ...Object.fromEntries(left.map(({ host, why }) => [`${host}: ${why}`, 1])),
  };
  return `no page was stored${listOf(reasons)}`;
}

/** Why an import exits with 1, in a line for stderr; undefined where it has no reason to. */
export function whyImportFailed({ stored, unchanged, refused, broken }: ImportSummary): string | undefined {
  if (stored + unchanged === 0) {
    const isEmpty = broken.length === 0 && Object.keys(refused).length === 0;
    return isEmpty
      ? 'nothing was imported: no file was found (hidden files and symbolic links are left out)'
      : `nothing was imported${listOf({ ...refused, ...Object.fromEntries(broken.map(({ why }) => [why, 1])) })}`;
  }
  if (broken.length === 0) return undefined;
  const files = new Set(broken.map(({ path }) => path)).size;
  return files === 1
    ? 'a file could not be read to its end'
    : `${files} files could not be read to their end`;
}

/** The most frequent reasons, after a colon. */
function listOf(reasons: Readonly<Record<string, number>>): string {
  const largest = Object.entries(reasons).sort(([, a], [, b]) => b - a);
  if (largest.length === 0) return '';
  const named = largest.slice(0, reasonsNamed).map(([why, count]) => (count > 1 ? `${why} (${count})` : why));
  return `: ${named.join(', ')}${largest.length > reasonsNamed ? ', and other reasons' : ''}`;
}
