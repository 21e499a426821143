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
export const busySeconds = 30;
export const failedSeconds = 5;

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

const never = (why: string): FetchOutcome => ({ kind: 'never', why, status: null });
const later = (why: string): FetchOutcome => ({ kind: 'later', why, seconds: failedSeconds, status: null });

/** The outcome of a request that got no answer, from the code of the error; the error's own text is not used. */
export function outcomeOfFailure(code: string | undefined): FetchOutcome {
  switch (code) {
    case 'ENOTFOUND':
      return never(hostNotFound);
    case 'EAI_AGAIN':
      return later(lookupFailed);
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'UND_ERR_HEADERS_TIMEOUT':
      return later('no answer in time');
    case 'UND_ERR_BODY_TIMEOUT':
      return later('body too slow');
    case 'UND_ERR_HEADERS_OVERFLOW':
    case 'HPE_HEADER_OVERFLOW':
      return never('headers too large');
    case 'ECONNREFUSED':
      return later('connection refused');
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
      return later('connection reset');
  }
  if (code === undefined) return later('connection failed');
  if (/CERT|^ERR_TLS|SELF_SIGNED|^UNABLE_TO/.test(code)) return never('TLS certificate not accepted');
  if (/^ERR_SSL|^EPROTO$/.test(code)) return never('TLS failed');
  if (code.startsWith('HPE_')) return never('not valid HTTP');
  return later('connection failed');
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
