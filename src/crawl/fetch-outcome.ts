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

/** `why` of a `later` for a host that is not asked, because it wanted to be left alone for a while. */
export const askedForPause = 'the host asked for a pause';

const never = (why: string): FetchOutcome => ({ kind: 'never', why, status: null });
const later = (why: string): FetchOutcome => ({ kind: 'later', why, seconds: failedSeconds, status: null });

/** The outcome of a request that got no answer, from the code of the error; the error's own text is not used. */
export function outcomeOfFailure(code: string | undefined): FetchOutcome {
  if (code === undefined) return later('connection failed');
  if (code === 'ENOTFOUND') return never('host not found');
  if (code === 'EAI_AGAIN') return later('host name lookup failed');
  if (code === 'ETIMEDOUT' || /^UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT$/.test(code))
    return later('timed out');
  if (/CERT|^ERR_TLS|SELF_SIGNED|^UNABLE_TO/.test(code)) return never('TLS certificate not accepted');
  if (/^ERR_SSL|^EPROTO$/.test(code)) return never('TLS failed');
  if (/^HPE_|^UND_ERR_HEADERS_OVERFLOW$/.test(code)) return never('not valid HTTP');
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
