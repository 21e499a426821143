import type { NetworkFailure } from './network-failure.ts';

/** Lower-case names; the values of a repeated header stand on lines of their own, which no value can hold. */
export type Headers = Readonly<Record<string, string>>;

/** What became of one request, named by what happens next. No text holds an address. */
export type FetchOutcome =
  | {
      readonly kind: 'ok';
      readonly url: string;
      readonly status: number;
      readonly headers: Headers;
      readonly contentType: string | null;
      readonly bytes: Uint8Array;
    }
  /** `to` is absolute, not yet checked. */
  | { readonly kind: 'redirect'; readonly to: string; readonly permanent: boolean }
  | { readonly kind: 'notModified'; readonly headers: Headers }
  | { readonly kind: 'gone' }
  /** `status` is null when there was no answer. */
  | { readonly kind: 'later'; readonly seconds: number; readonly why: string; readonly status: number | null }
  | { readonly kind: 'never'; readonly why: string; readonly status: number | null };

/** How long to leave alone a host that was busy, failed or did not answer, when it names no time of its own. */
const busySeconds = 30;
const failedSeconds = 5;

/** `why` of a `later` for a host that is not asked now, because of what it said or did not say before. */
export const askedForPause = 'the host asked for a pause';
export const doesNotAnswer = 'the host did not answer several times in a row';

const hostNotFound = 'host not found';
const lookupFailed = 'host name lookup failed';

/** Whether the name of the host could not be looked up: it is wrong, or this machine has no network. */
export function isUnresolved(why: string): boolean {
  return why === hostNotFound || why === lookupFailed;
}

/** Whether nothing was asked. */
export function isLeftAlone(why: string): boolean {
  return why === askedForPause || why === doesNotAnswer;
}

/** `why` of a `never` for an address of a network that is not public. */
export const notPublic = 'the host is not on the public internet';

/**
 * Whether there is no host that may be asked. Which of the two it is says what names a private network has: for the
 * operator alone.
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

/** The outcome of an answer whose body does not matter; null when it does. */
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
