import type { Clock } from '../../runtime.ts';
import type { Tally } from '../crawl-tally.ts';
import { trapOf } from './traps.ts';
import type { UrlScope } from './url-scope.ts';

interface LinkFilterParts {
  readonly isWanted: UrlScope;
  readonly tally: Tally;
  readonly now: Clock;
}

/** Where links come from. */
interface LinkOrigin {
  readonly from: string;
  /** That of the links, not of the page. */
  readonly depth: number;
}

export type LinkFilter = (urls: readonly string[], origin: LinkOrigin) => string[];

/** Links into traps that the summary counts one by one: traps make up any number of them. */
const maxReportedTraps = 10_000;

/** Keeps the links that a crawl wants and that lead into no trap; each link into a trap is reported once. */
export function createLinkFilter({ isWanted, tally, now }: LinkFilterParts): LinkFilter {
  const reported = new Set<string>();
  return (urls, { from, depth }) =>
    urls.filter((url) => {
      if (!isWanted(url)) return false;
      const trap = trapOf({ url, from, depth }, now());
      if (trap === null) return true;
      if (reported.size < maxReportedTraps && !reported.has(url)) {
        reported.add(url);
        tally.outcome('failed', trap, url);
      }
      return false;
    });
}
