import { retryAfterSeconds } from '../crawl/retry-after.ts';
import type { ProviderReply } from './exchange.ts';
import { type FailureKind, WebSearchError } from './web-search.ts';

/** What a provider's own way of failing means, where it is not the usual one. */
export interface OwnFailure {
  readonly kind: FailureKind;
  readonly retryAfterSeconds?: number | undefined;
  /** Said after the provider's name, instead of the usual words. */
  readonly what?: string;
}

export interface FailureWords {
  /** The provider's name for people. */
  readonly title: string;
  /** The setting that holds the key, if it takes one. */
  readonly keySetting?: string | undefined;
}

const kindOfStatus = (status: number): FailureKind => {
  if (status === 401) return 'unauthorized';
  if (status === 402 || status === 403) return 'forbidden';
  if (status === 429) return 'limited';
  if (status === 408 || status === 504) return 'timeout';
  if (status >= 500) return 'unavailable';
  return 'malformed';
};

/** Makes the error of a reply that is no answer, in our own words: what the provider wrote may repeat the key. */
export function replyFailure(
  { status, headers }: ProviderReply,
  { title, keySetting }: FailureWords,
  now: number,
  own?: OwnFailure,
): WebSearchError {
  const kind = own?.kind ?? kindOfStatus(status);
  const wait = own?.retryAfterSeconds ?? retryAfterSeconds(headers['retry-after'], now) ?? undefined;
  const what = own?.what ?? usualWords(kind, status, keySetting);
  return new WebSearchError(kind, `${title} ${what}`, wait);
}

function usualWords(kind: FailureKind, status: number, keySetting: string | undefined): string {
  switch (kind) {
    case 'unauthorized':
      return `did not accept the key (${status}): check ${keySetting ?? 'its address'}`;
    case 'forbidden':
      return `refused the request (${status}): check the plan${keySetting ? ` of ${keySetting}` : ''} and its terms`;
    case 'limited':
      return `was asked too often, or its quota is used up (${status})`;
    case 'unavailable':
      return `is not available now (${status})`;
    case 'timeout':
      return `did not answer in time (${status})`;
    default:
      if (status >= 300 && status < 400)
        return `answered with a redirect (${status}): set the address it leads to`;
      return status >= 400
        ? `did not understand the request (${status})`
        : 'gave an answer of an unknown form';
  }
}
