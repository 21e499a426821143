import type { Clock } from '../../runtime.ts';
import type { Tally } from '../crawl-tally.ts';
import { trapOf } from './traps.ts';
import type { UrlScope } from './url-scope.ts';

interface LinkFilterParts {
  readonly wanted: UrlScope;
  readonly tally: Tally;
  readonly now: Clock;
}

/** Where links were found. */
interface Found {
  readonly from: string;
  /** That of the links, not of the page. */
  readonly depth: number;
}

/** So many links into traps are told apart in the summary; there is no end of them. */
const maxTold = 10_000;

/** Keeps the links that a crawl wants and that lead into no trap; each trap's link is told once. */
export function createLinkFilter({ wanted, tally, now }: LinkFilterParts) {
  const told = new Set<string>();
  return (urls: readonly string[], { from, depth }: Found): string[] =>
    urls.filter((url) => {
      if (!wanted(url)) return false;
      const trap = trapOf({ url, from, depth }, now());
      if (trap === null) return true;
      if (told.size < maxTold && !told.has(url)) {
        told.add(url);
        tally.outcome('failed', trap, url);
      }
      return false;
    });
}
