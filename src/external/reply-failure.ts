import { retryAfterSeconds } from '../crawl/fetch/retry-after.ts';
import type { JsonReply } from './json-client.ts';
import { type FailureKind, ProviderError } from './search-provider.ts';

/** The meaning of a provider's own error reply. */
export interface OwnFailure {
  readonly kind: FailureKind;
  readonly retryAfterSeconds?: number | undefined;
  /** Message after the provider's name, instead of the usual one. */
  readonly what?: string;
}

export interface FailureWords {
  /** The provider's display name. */
  readonly title: string;
  /** The setting that holds the key, if it takes one. */
  readonly keySetting: string | undefined;
  readonly hasKey: boolean;
}

const kindOfStatus = (status: number): FailureKind => {
  if (status === 401) return 'unauthorized';
  if (status === 402 || status === 403) return 'forbidden';
  if (status === 429) return 'limited';
  if (status === 408 || status === 504) return 'timeout';
  if (status >= 500) return 'unavailable';
  return 'malformed';
};

/** Creates the error for an error reply, in our own words: the provider's text may contain the key. */
export function replyFailure(
  { status, headers }: JsonReply,
  words: FailureWords,
  now: number,
  own?: OwnFailure,
): ProviderError {
  const kind = own?.kind ?? kindOfStatus(status);
  const wait = own?.retryAfterSeconds ?? retryAfterSeconds(headers['retry-after'], now) ?? undefined;
  const what = own?.what ?? usualWords(kind, status, words);
  return new ProviderError(kind, `${words.title} ${what}`, wait);
}

function usualWords(kind: FailureKind, status: number, { keySetting, hasKey }: FailureWords): string {
  // Some providers report errors in the body of a reply with status 200.
  const code = status >= 300 ? ` (${status})` : '';
  switch (kind) {
    case 'unauthorized':
      if (keySetting === undefined) return `wants a user and password${code}: put them into its address`;
      return hasKey
        ? `did not accept the key${code}: check ${keySetting}`
        : `wants a key${code}: set ${keySetting}`;
    case 'forbidden':
      return `refused the request${code}: check ${hasKey ? `the plan of ${keySetting}` : 'its terms'}`;
    case 'limited':
      return `was asked too often, or its quota is used up${code}`;
    case 'unavailable':
      return `is not available now${code}`;
    case 'timeout':
      return `did not answer in time${code}`;
    default:
      if (status >= 400) return `did not understand the request${code}`;
      if (status >= 300) return `answered with a redirect${code}: set the address it leads to`;
      return 'gave an answer of an unknown form';
  }
}
