import { pageId } from '../store/page/page-id.ts';
import type { PageStore, Writer } from '../store/page-store.ts';
import { listOfPages } from './answer/read-answer.ts';
import { refusedByRobots, type Visit } from './visit.ts';

/** The outcome of a URL without a page in the store. */
export interface UrlOutcome {
  readonly url: string;
  readonly outcome: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** The last outcome of every URL of a site without a page: why it is not in the index. */
export interface OutcomeStore {
  /** In no particular order. `host` as in `URL.host`. */
  ofHost(host: string): Iterable<UrlOutcome>;
  /** Every host with an outcome (`URL.host`). */
  hosts(): Iterable<string>;
  /** The last one of a URL. */
  of(url: string): UrlOutcome | undefined;
  put(writer: Writer, outcome: UrlOutcome): void;
  /** The URL is a page now, or needs no outcome. */
  drop(writer: Writer, url: string): void;
}

export function createOutcomeStore(store: PageStore): OutcomeStore {
  const table = store.table<UrlOutcome>('outcomes');
  const keyOf = (url: string): string => `${new URL(url).host} ${pageId(url)}`;
  return {
    *ofHost(host) {
      for (const [, outcome] of table.entries({ from: `${host} `, to: `${host}!` })) yield outcome;
    },
    *hosts() {
      // From host to host, however many URLs each has.
      let [next] = table.entries({ limit: 1 });
      while (next !== undefined) {
        const host = next[0].slice(0, next[0].indexOf(' '));
        yield host;
        [next] = table.entries({ from: `${host}!`, limit: 1 });
      }
    },
    of: (url) => table.get(keyOf(url)),
    put: (writer, outcome) => writer.put(table, keyOf(outcome.url), outcome),
    drop(writer, url) {
      const key = keyOf(url);
      if (table.get(key) !== undefined) writer.delete(table, key);
    },
  };
}

const movedHow = {
  canonical: 'canonical is another page',
  redirect: 'redirects to another page',
  form: 'another address of another page',
} as const;

/**
 * How a visit without a page is counted, and its name in the summary and in `gleaner status --site`; null for a page,
 * a feed and a sitemap.
 */
export function outcomeOfVisit(
  visit: Visit,
): { readonly kind: 'failed' | 'moved' | 'refusedByRobots'; readonly why: string } | null {
  switch (visit.kind) {
    case 'page':
    case 'unchanged':
      return null;
    case 'gone':
      return { kind: 'failed', why: 'not found' };
    case 'moved':
      return {
        kind: 'moved',
        why: movedHow[visit.by],
      };
    case 'later':
      return { kind: 'failed', why: visit.why };
    case 'never':
      if (visit.why === listOfPages) return null;
      return { kind: visit.why === refusedByRobots ? 'refusedByRobots' : 'failed', why: visit.why };
  }
}
