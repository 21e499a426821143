import type { Readable } from 'node:stream';
import { sleep as realSleep, type Sleep } from '../../async/sleep.ts';
import { invalidParameters } from '../../contract/errors.ts';
import { createThrottle, type Throttle } from '../../limits/throttle.ts';
import type { Clock } from '../../runtime.ts';
import type { Credentials } from '../credentials/credentials.ts';
import { parseUrl } from '../url/canonical-url.ts';
import { type PrivateAccess, RefusedAddress, type Resolve } from './address-guard.ts';
import {
  askedForPause,
  blockedDomain,
  doesNotAnswer,
  type FetchOutcome,
  type Headers,
  outcomeOfFailure,
  outcomeOfStatus,
} from './fetch-outcome.ts';
import { flattenHeaders } from './flatten-headers.ts';
import { createGuardedAgents, type NetworkSide } from './guarded-agent.ts';
import { createHostPace } from './host-pace.ts';
import type { HostRests } from './host-rests.ts';
import { errorCode, networkFailure } from './network-failure.ts';
import { readBody } from './response-body.ts';
import { retryAfterSeconds } from './retry-after.ts';

export interface PoliteFetchOptions {
  /** Name, version and contact, e.g. `Gleaner/0.1.0 (+https://example.org/bot)`. */
  readonly userAgent: string;
  /** Allows private networks (see `AddressGuardOptions`) and a delay below a second. */
  readonly allowPrivate?: PrivateAccess;
  /** Pause between an answer of a host and the next request to it; a second at least for hosts that are not opened. */
  readonly delaySeconds?: number;
  /** Whether the operator wants no page of this URL; nothing is requested there. */
  readonly isBlocked?: ((url: string) => boolean) | undefined;
  /** Sent where they belong, and nowhere else: no redirect is followed here. */
  readonly credentials?: Credentials | undefined;
  /** Requests under way at once, over all hosts, and how often one may start. */
  readonly gate?: Throttle;
  /** Keeps the pauses of hosts over the end of the process; in memory alone when not given. */
  readonly rests?: HostRests;
  /** For one request, from the connection to the last byte. */
  readonly timeoutMs?: number;
  /** Called every `slowAfterMs` for a request under way, with its duration so far. */
  readonly onSlow?: ((url: string, seconds: number) => void) | undefined;
  /** Ten seconds when not given. */
  readonly slowAfterMs?: number;
  readonly resolve?: Resolve;
  readonly now?: Clock;
  readonly sleep?: Sleep;
}

export interface FetchRequest {
  readonly accept?: string;
  /** Sent as `If-None-Match` and `If-Modified-Since`. */
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
  /** After decompression; 5 MB of HTML or 30 MB of anything else when not given. */
  readonly maxBytes?: number;
  /** Cut a body longer than `maxBytes` instead of refusing it. */
  readonly truncate?: boolean;
  /** The delay that the site asks for; the longer of it (up to 30 s) and ours holds. */
  readonly crawlDelaySeconds?: number | null;
  /** Sends no credentials. */
  readonly isAnonymous?: boolean;
  /**
   * For what the scripts of a page ask for: it goes to one side of the network alone, and follows the answer before after
   * the time that that one took, without the pause between pages. `origin` is sent to another origin, as browsers do.
   */
  readonly part?: { readonly side: NetworkSide; readonly origin?: string };
  readonly signal?: AbortSignal | undefined;
}

export interface PoliteFetch {
  /**
   * Sends one request and follows no redirect. Network failures and refusals are outcomes; it rejects only with the
   * reason of an aborted signal.
   */
  (url: string, request?: FetchRequest): Promise<FetchOutcome>;
  /** The side of the network that a host is on now. */
  sideOf(hostname: string): Promise<NetworkSide>;
  /** Ends the pause of a host that did not answer; a pause that the host requested stays. */
  wake(host: string): void;
  /** Whether there are credentials for a request to this URL. */
  hasCredentials(url: URL): boolean;
  close(): Promise<void>;
}

const defaultAccept =
  'text/html, application/xhtml+xml;q=0.95, text/markdown;q=0.9, text/plain;q=0.8, application/pdf;q=0.7, */*;q=0.5';
const maxHtmlBytes = 5 * 1024 * 1024;
const maxOtherBytes = 30 * 1024 * 1024;
/** Media types that never contain text. */
const mediaType = /^\s*(image|audio|video|font)\//i;
const maxCrawlDelaySeconds = 30;
/** For hosts that are not the operator's own. */
const minDelaySeconds = 1;
/** Statuses that are failures of the host rather than of the page. */
const hostFailures = new Set([429, 502, 503, 504]);
/** Enough to keep a machine busy; each host has at most one request under way. */
const maxConcurrentRequests = 64;

/**
 * The crawler's only way out: guarded addresses, one request at a time for each host with a pause in between,
 * limits on size and time, an honest name. Throws a `ServiceError`
 * (`invalid_parameters`) for a delay below a second without `allowPrivate`.
 */
export function createPoliteFetch(options: PoliteFetchOptions): PoliteFetch {
  const { userAgent, allowPrivate = false, delaySeconds = 1, timeoutMs = 30_000, resolve } = options;
  const { onSlow, slowAfterMs = 10_000 } = options;
  const {
    now = Date.now,
    sleep = realSleep,
    gate = createThrottle({ concurrency: maxConcurrentRequests }),
  } = options;
  if (!(delaySeconds >= (allowPrivate === false ? minDelaySeconds : 0))) {
    throw invalidParameters([
      {
        parameter: 'delay',
        message: 'a pause below one second needs allowPrivate: it is for private networks',
      },
    ]);
  }
  const agents = createGuardedAgents({ allowPrivate, ...(resolve && { resolve }) }, timeoutMs);
  const pace = createHostPace({ now, sleep, rests: options.rests });

  const sendRequest = async (
    url: URL,
    request: FetchRequest,
    { signal, began }: { signal: AbortSignal; began: () => void },
  ): Promise<FetchOutcome> => {
    const agent = await agents.agentOf(request.part?.side ?? 'any');
    const {
      statusCode,
      headers: raw,
      body,
    } = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      headers: {
        ...requestHeaders(request, userAgent),
        ...(request.isAnonymous ? undefined : options.credentials?.headersFor(url)),
      },
      signal,
    });
    // An unread body fails with an error of its own, which must not crash the process.
    body.on('error', () => {});
    const headers = flattenHeaders(raw, '\n');
    const outcome = redirectOutcome(statusCode, headers, url) ?? outcomeOfStatus(statusCode);
    if (statusCode === 304 || outcome !== null) {
      await body.dump({ limit: 16 * 1024, signal }).catch(() => {});
      if (statusCode === 304) return { kind: 'notModified', headers };
      if (outcome?.kind !== 'later') return outcome as FetchOutcome;
      const seconds = retryAfterSeconds(headers['retry-after'], now());
      if (statusCode === 429 || statusCode === 503) pace.pause(url.host, seconds ?? outcome.seconds);
      return { ...outcome, seconds: seconds ?? outcome.seconds };
    }
    began();
    return readPage(body, url, statusCode, headers, request);
  };

  /** Counts failures of the host; after several in a row it rests, and the outcome has the length of the rest. */
  const withHostFailures = (host: string, outcome: FetchOutcome): FetchOutcome => {
    const { status } = { status: null, ...outcome };
    if (outcome.kind === 'later' && (status === null || hostFailures.has(status))) {
      return { ...outcome, seconds: Math.max(outcome.seconds, pace.failed(host)) };
    }
    if (outcome.kind !== 'never' || status !== null) pace.answered(host);
    return outcome;
  };

  const ask = async (url: URL, request: FetchRequest): Promise<FetchOutcome> => {
    const { signal } = request;
    const controller = new AbortController();
    let bodyBegan = false;
    const began = () => {
      bodyBegan = true;
    };
    const end = () => controller.abort();
    const timer = setTimeout(end, timeoutMs);
    let waitedMs = 0;
    const reminder = setInterval(() => {
      waitedMs += slowAfterMs;
      onSlow?.(url.href, waitedMs / 1000);
    }, slowAfterMs);
    signal?.addEventListener('abort', end, { once: true });
    try {
      signal?.throwIfAborted();
      return withHostFailures(
        url.host,
        await sendRequest(url, request, { signal: controller.signal, began }),
      );
    } catch (error) {
      signal?.throwIfAborted();
      if (!controller.signal.aborted) return withHostFailures(url.host, outcomeOfError(error));
      return withHostFailures(url.host, outcomeOfFailure(bodyBegan ? 'slow body' : 'timeout'));
    } finally {
      clearTimeout(timer);
      clearInterval(reminder);
      signal?.removeEventListener('abort', end);
    }
  };

  const politeFetch = async (text: string, request: FetchRequest = {}): Promise<FetchOutcome> => {
    const url = parseUrl(text);
    const guard = agents.guardOf(request.part?.side ?? 'any');
    if (url === null) return { kind: 'never', why: 'not a URL', status: null };
    try {
      guard.checkUrl(url);
    } catch (error) {
      return outcomeOfError(error);
    }
    if (options.isBlocked?.(url.href)) return { kind: 'never', why: blockedDomain, status: null };
    const siteDelaySeconds = Math.min(request.crawlDelaySeconds ?? 0, maxCrawlDelaySeconds);
    const { signal } = request;
    const turn = async (): Promise<FetchOutcome> => {
      const paused = pace.paused(url.host);
      if (paused !== null) {
        const why = paused.asked ? askedForPause : doesNotAnswer;
        return { kind: 'later', seconds: paused.seconds, why, status: null };
      }
      return gate.run(() => pace.timed(url.host, () => ask(url, request)), { signal });
    };
    const ownDelaySeconds = guard.isNamed(url) ? delaySeconds : Math.max(delaySeconds, minDelaySeconds);
    const pageDelaySeconds = Math.max(ownDelaySeconds, siteDelaySeconds);
    return pace.turn(url.host, turn, { delaySeconds: request.part ? 0 : pageDelaySeconds, signal });
  };

  return Object.assign(politeFetch, {
    wake: pace.wake,
    hasCredentials: (url: URL) => options.credentials?.headersFor(url) !== undefined,
    sideOf: agents.sideOf,
    close: agents.close,
  });
}

/** The same way out, at the same pace, without credentials. */
export function anonymously(politeFetch: PoliteFetch): PoliteFetch {
  const fetch = (url: string, request?: FetchRequest) => politeFetch(url, { ...request, isAnonymous: true });
  return Object.assign(fetch, { ...politeFetch, hasCredentials: () => false });
}

async function readPage(
  body: Readable,
  url: URL,
  status: number,
  headers: Headers,
  request: FetchRequest,
): Promise<FetchOutcome> {
  const contentType = headers['content-type']?.split('\n', 1)[0] ?? null;
  if (contentType !== null && mediaType.test(contentType)) {
    body.destroy();
    return { kind: 'never', why: 'unsupported type', status };
  }
  const isHtml = contentType === null || /^\s*(text\/html|application\/xhtml)/i.test(contentType);
  const maxBytes = request.maxBytes ?? (isHtml ? maxHtmlBytes : maxOtherBytes);
  const limits = { maxBytes, truncate: request.truncate ?? false };
  const result = await readBody(body, headers['content-encoding'] ?? '', limits);
  if (result.kind === 'refused') return { kind: 'never', why: result.why, status };
  return { kind: 'ok', url: url.href, status, headers, contentType, bytes: result.bytes };
}

function redirectOutcome(status: number, headers: Headers, url: URL): FetchOutcome | null {
  if (![301, 302, 303, 307, 308].includes(status)) return null;
  const to = parseUrl(headers.location ?? '', url.href);
  if (headers.location === undefined || to === null) {
    return { kind: 'never', why: 'redirect without a target', status };
  }
  return { kind: 'redirect', to: to.href, permanent: status === 301 || status === 308 };
}

function requestHeaders(
  { accept = defaultAccept, etag, lastModified, part }: FetchRequest,
  userAgent: string,
): Record<string, string> {
  return {
    'user-agent': userAgent,
    accept,
    'accept-encoding': 'gzip, deflate, br',
    ...(part?.origin !== undefined && { origin: part.origin }),
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(lastModified !== undefined && { 'if-modified-since': lastModified }),
  };
}

function outcomeOfError(error: unknown): FetchOutcome {
  if (error instanceof RefusedAddress) return { kind: 'never', why: error.message, status: null };
  return outcomeOfFailure(networkFailure(errorCode(error)));
}
