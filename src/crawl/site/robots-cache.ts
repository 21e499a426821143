import type { Clock } from '../../runtime.ts';
import type { PageStore } from '../../store/page-store.ts';
import type { FetchOutcome } from '../fetch/fetch-outcome.ts';
import { followRedirects } from '../fetch/follow-redirects.ts';
import type { PoliteFetch } from '../fetch/polite-fetch.ts';
import { allowAll, decodeRobots, maxRobotsBytes, parseRobots, type Robots } from './robots.ts';

export type RobotsAnswer =
  | { readonly kind: 'known'; readonly robots: Robots }
  /** The file could not be read, so the site may not be requested before `seconds` are over. */
  | { readonly kind: 'later'; readonly seconds: number; readonly why: string }
  | { readonly kind: 'never'; readonly why: string };

/** The rules for a URL's origin, from memory, from the store, or from the site. */
export type RobotsFor = (url: string, signal?: AbortSignal) => Promise<RobotsAnswer>;

/** `text` is null when the site has no robots.txt and so allows all. */
interface StoredRobots {
  readonly fetchedAt: number;
  readonly text: string | null;
}

interface RobotsCacheOptions {
  readonly store: PageStore;
  readonly politeFetch: PoliteFetch;
  readonly now: Clock;
}

/** RFC 9309 section 2.4: not longer than a day. */
const maxAgeMs = 24 * 60 * 60 * 1000;
const maxRedirects = 5;
const maxRemembered = 1000;

/**
 * Fetches the robots.txt of each origin and caches it for a day (RFC 9309 section 2.3.1): 4xx and a sixth redirect
 * allow all; 429, 5xx and no answer refuse all until the file can be read.
 */
export function createRobotsCache({ store, politeFetch, now }: RobotsCacheOptions): RobotsFor {
  const table = store.table<StoredRobots>('robots');
  const remembered = new Map<string, { answer: RobotsAnswer; until: number }>();

  const remember = (origin: string, answer: RobotsAnswer, until: number): RobotsAnswer => {
    if (remembered.size >= maxRemembered) remembered.clear();
    remembered.set(origin, { answer, until });
    return answer;
  };

  return async (url, signal) => {
    const { origin } = new URL(url);
    const held = remembered.get(origin);
    if (held !== undefined && now() < held.until) {
      if (held.answer.kind !== 'later') return held.answer;
      return { ...held.answer, seconds: (held.until - now()) / 1000 };
    }
    const stored = table.get(origin);
    if (stored !== undefined && now() < stored.fetchedAt + maxAgeMs) {
      return remember(origin, answerFor(stored.text), stored.fetchedAt + maxAgeMs);
    }
    const request = { accept: 'text/plain, */*;q=0.5', maxBytes: maxRobotsBytes, truncate: true, signal };
    const outcome = await followRedirects(politeFetch, `${origin}/robots.txt`, request, {
      limit: maxRedirects,
    });
    const text = textOf(outcome);
    if (text === undefined) {
      const answer = unreadable(outcome);
      return remember(origin, answer, now() + (answer.kind === 'later' ? answer.seconds : 60) * 1000);
    }
    const fetchedAt = now();
    // Another process may be writing; then only this process remembers the file.
    await store.write((writer) => writer.put(table, origin, { fetchedAt, text })).catch(() => {});
    return remember(origin, answerFor(text), fetchedAt + maxAgeMs);
  };
}

function answerFor(text: string | null): RobotsAnswer {
  return { kind: 'known', robots: text === null ? allowAll : parseRobots(text) };
}

/** The file's text, null for a site without one, undefined when it could not be read. */
function textOf(outcome: FetchOutcome): string | null | undefined {
  if (outcome.kind === 'ok') return decodeRobots(outcome.bytes);
  if (outcome.kind === 'gone' || outcome.kind === 'redirect') return null;
  if (outcome.kind === 'never' && outcome.status !== null && outcome.status !== 200) return null;
  return undefined;
}

function unreadable(outcome: FetchOutcome): RobotsAnswer {
  const why = 'why' in outcome ? outcome.why : 'no answer';
  if (outcome.kind === 'later') return { kind: 'later', seconds: outcome.seconds, why: `robots.txt: ${why}` };
  // The site cannot be reached, or its file cannot be read.
  return {
    kind: 'never',
    why: outcome.kind === 'never' && outcome.status === null ? why : `robots.txt: ${why}`,
  };
}
