import type { NetworkFailure } from './network-failure.ts';

/** Lower-case names; the values of a repeated header stand on lines of their own, which no value can hold. */
export type Headers = Readonly<Record<string, string>>;

/** The outcome of one request, named by what happens next. No text contains an IP address. */
export type FetchOutcome =
  | {
      readonly kind: 'ok';
      readonly url: string;
      readonly status: number;
      readonly headers: Headers;
      readonly contentType: string | null;
      readonly bytes: Uint8Array;
    }
  /** `to` is absolute and not checked yet. */
  | { readonly kind: 'redirect'; readonly to: string; readonly permanent: boolean }
  | { readonly kind: 'notModified'; readonly headers: Headers }
  | { readonly kind: 'gone' }
  /** `status` is null when there was no answer. */
  | { readonly kind: 'later'; readonly seconds: number; readonly why: string; readonly status: number | null }
  | { readonly kind: 'never'; readonly why: string; readonly status: number | null };

/** How long to leave alone a host that was busy, failed or did not answer, when it names no time of its own. */
const busySeconds = 30;
const failedSeconds = 5;

/** `why` of a `later` for a host that gets no requests now, because of its earlier answers or failures. */
export const askedForPause = 'the host asked for a pause';
export const doesNotAnswer = 'the host did not answer several times in a row';

const hostNotFound = 'host not found';
const lookupFailed = 'host name lookup failed';

/** Whether the host name could not be resolved: it is wrong, or this machine has no network. */
export function isUnresolved(why: string): boolean {
  return why === hostNotFound || why === lookupFailed;
}

/** Whether no request was sent, because the host is left alone. */
export function isLeftAlone(why: string): boolean {
  return why === askedForPause || why === doesNotAnswer;
}

/** `why` of a `never` by the rules for domains. */
export const blockedDomain = 'blocked by the rules for domains';

/** `why` of a `never` for a host with an address that is not public. */
export const notPublic = 'the host is not on the public internet';

/**
 * Whether no host may be requested. The reason would reveal the names of a private network, so only the operator may see it.
 */
export function isOutOfReach(why: string): boolean {
  return why === hostNotFound || why === notPublic;
}

function never(why: string): FetchOutcome {
  return { kind: 'never', why, status: null };
}

function later(why: string): FetchOutcome {
  return { kind: 'later', why, seconds: failedSeconds, status: null };
}

const outcomesOfFailures: Readonly<Record<NetworkFailure, FetchOutcome>> = {
  'host not found': never(hostNotFound),
  'lookup failed': later(lookupFailed),
  timeout: later('no answer in time'),
  'slow body': later('body too slow'),
  'headers too large': never('headers too large'),
  'connection refused': later('connection refused'),
  'connection reset': later('connection reset'),
  certificate: never('TLS certificate not accepted'),
  tls: never('TLS failed'),
  'invalid http': never('not valid HTTP'),
  'content length': later('connection failed'),
  other: later('connection failed'),
};

/** The outcome of a request that got no answer. */
export function outcomeOfFailure(failure: NetworkFailure): FetchOutcome {
  return outcomesOfFailures[failure];
}

/** The outcome of an answer by its status; null when the body has to be read. */
export function outcomeOfStatus(status: number): FetchOutcome | null {
  const why = `status ${status}`;
  if (status === 200 || status === 203) return null;
  if (status === 404 || status === 410) return { kind: 'gone' };
  if (status === 429 || status === 503) return { kind: 'later', seconds: busySeconds, why, status };
  if (status >= 500 || status === 408 || status === 425) {
    return { kind: 'later', seconds: failedSeconds, why, status };
  }
  return { kind: 'never', why, status };
}
