import { createSingleFlightCache } from '../../async/single-flight-cache.ts';
import type { Clock } from '../../runtime.ts';
import type { FetchOutcome } from '../fetch/fetch-outcome.ts';
import type { NetworkSide } from '../fetch/guarded-agent.ts';
import type { PoliteFetch } from '../fetch/polite-fetch.ts';
import type { RobotsFor } from '../site/robots-cache.ts';
import { isSameSite } from '../url/same-site.ts';
import type { PartAnswer, PartRequest } from './messages.ts';
import { maxPageParts, maxPartBytes } from './render-limits.ts';

/** Why a page cannot be drawn now: its own host asks for a pause, or does not answer. */
export type PartsLater = Extract<FetchOutcome, { kind: 'later' }>;

/** What the scripts of one page may ask for. */
export interface PageParts {
  /** Null for what is refused: by robots.txt, the address guard, the rules for domains, or a limit. Never rejects. */
  ask(request: PartRequest, signal: AbortSignal): Promise<PartAnswer | null>;
  /** The first answer of the page's own site by which all of it has to wait. */
  later(): PartsLater | undefined;
}

export interface PagePartsOptions {
  readonly politeFetch: PoliteFetch;
  readonly robotsFor: RobotsFor;
  readonly now: Clock;
}

const maxRedirects = 5;
/** Scripts are the same for all pages of a site: each is asked for once in this time. */
const keepScriptMs = 60 * 60 * 1000;
const maxScriptBytes = 32 * 1024 * 1024;

/** What the browser needs to know of an answer; cookies and hints at further requests are not among it. */
const passedHeaders = [
  'content-type',
  'content-language',
  'access-control-allow-origin',
  'x-content-type-options',
];

/**
 * Answers the requests of pages that scripts draw, through the polite fetch: redirects are followed here and each hop is
 * checked; the robots.txt of the page's own site holds for every address on it. A page on a public address is given
 * public addresses alone, and one on a private address private ones alone: so its scripts can carry nothing from one to
 * the other, whatever its name resolves to. A page that came with credentials is given what its own origin gives for them,
 * and nothing else: so its scripts can carry nothing out of it.
 */
export function createPageParts({
  politeFetch,
  robotsFor,
  now,
}: PagePartsOptions): (pageUrl: string) => PageParts {
  const scripts = createSingleFlightCache<PartAnswer | null>({
    ttlMs: (answer) => (answer?.status === 200 ? keepScriptMs : 0),
    bytesOf: (answer) => (answer?.body.length ?? 0) + 512,
    maxBytes: maxScriptBytes,
    now,
  });

  return (pageUrl) => {
    const { host, hostname, origin } = new URL(pageUrl);
    const isPrivate = politeFetch.hasCredentials(new URL(pageUrl));
    let side: Promise<NetworkSide> | undefined;
    let count = 0;
    let bytesLeft = maxPartBytes;
    let later: PartsLater | undefined;
    const isOwn = (url: string): boolean => isSameSite(new URL(url).host, host);

    const sideOfPage = (): Promise<NetworkSide> => {
      side ??= politeFetch.sideOf(hostname);
      return side;
    };

    const isAllowed = async (url: string, signal: AbortSignal): Promise<boolean> => {
      if (!isOwn(url)) return true;
      const answer = await robotsFor(url, signal);
      return answer.kind === 'known' && answer.robots.allows(url);
    };

    const fetchPart = async (request: PartRequest, signal: AbortSignal): Promise<PartAnswer | null> => {
      const { accept } = request;
      let { url } = request;
      for (let hops = 0; hops <= maxRedirects; hops++) {
        const isForeign = new URL(url).origin !== origin;
        if ((isPrivate && isForeign) || !(await isAllowed(url, signal))) return null;
        const part = { side: await sideOfPage(), ...(isForeign && { origin }) };
        const asked = { accept, part, isAnonymous: !isPrivate, maxBytes: bytesLeft, signal };
        const outcome = await politeFetch(url, asked);
        if (outcome.kind === 'later' && isOwn(url) && isOfHost(outcome)) later ??= outcome;
        if (outcome.kind !== 'redirect') return answerOf(outcome);
        url = outcome.to;
      }
      return null;
    };

    const answerTo = async (request: PartRequest, signal: AbortSignal): Promise<PartAnswer | null> => {
      if (request.type !== 'script') return fetchPart(request, signal);
      const key = JSON.stringify([await sideOfPage(), isPrivate && origin, request.url]);
      return scripts.get(key, (shared) => fetchPart(request, shared), signal);
    };

    return {
      async ask(request, signal) {
        count += 1;
        if (count > maxPageParts || bytesLeft <= 0 || !/^https?:/.test(request.url)) return null;
        try {
          const answer = await answerTo({ ...request, url: request.url.replace(/#.*$/s, '') }, signal);
          bytesLeft -= answer?.body.length ?? 0;
          return bytesLeft < 0 ? null : answer;
        } catch {
          return null;
        }
      },
      later: () => later,
    };
  };
}

/** Whether the host is busy or silent; any other failure is that of one part, and the page's scripts may live with it. */
function isOfHost({ status }: PartsLater): boolean {
  return status === null || status === 429 || status === 503;
}

/** A failure with a status is shown to the page's scripts without its body. */
function answerOf(outcome: FetchOutcome): PartAnswer | null {
  if (outcome.kind === 'gone') return { status: 404, headers: {}, body: new Uint8Array() };
  if (outcome.kind !== 'ok') {
    const { status } = { status: null, ...outcome };
    return status === null || status === 200 ? null : { status, headers: {}, body: new Uint8Array() };
  }
  const headers = passedHeaders.flatMap((name) => {
    const value = outcome.headers[name]?.split('\n', 1)[0];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { status: 200, headers: Object.fromEntries(headers), body: outcome.bytes };
}
