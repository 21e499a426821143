import type { Clock } from '../../runtime.ts';
import { type Cookie, cookieHeader } from './cookie-file.ts';
import type { HeaderLine } from './header-line.ts';

/** The part of a site that a credential opens. */
export interface CredentialScope {
  /** As `URL.origin`: scheme, host and port. */
  readonly origin: string;
  /** The folder without a slash at its end; empty for the whole origin. */
  readonly path: string;
}

export interface CredentialRule extends CredentialScope {
  readonly header?: HeaderLine;
  readonly cookies?: readonly Cookie[];
}

/** What opens sites that are not for everybody. */
export interface Credentials {
  /** The headers for a request; undefined where there are none. */
  headersFor(url: URL): Readonly<Record<string, string>> | undefined;
}

/** Of two rules with the same header, that of the longer path holds; of equal ones the first. */
export function createCredentials(rules: () => readonly CredentialRule[], now: Clock): Credentials {
  return {
    headersFor: (url) => {
      const headers: Record<string, string> = {};
      const matching = rules()
        .filter((rule) => isWithin(url, rule))
        .toSorted((a, b) => b.path.length - a.path.length);
      for (const { header } of matching) if (header) headers[header.name] ??= header.value;
      const cookies = matching.flatMap((rule) => rule.cookies ?? []);
      const cookie = cookieHeader(cookies, url, now());
      if (cookie !== undefined) headers.cookie = cookie;
      return Object.keys(headers).length === 0 ? undefined : headers;
    },
  };
}

/**
 * An encoded slash or dot in a path could mean another folder to the server than to us, so that such paths are in the scope
 * of a whole origin alone.
 */
function isWithin({ origin, pathname }: URL, scope: CredentialScope): boolean {
  if (origin !== scope.origin) return false;
  if (scope.path === '') return true;
  const isBelow = pathname === scope.path || pathname.startsWith(`${scope.path}/`);
  return isBelow && !/%(?:2e|2f|5c)/i.test(pathname) && !pathname.includes('//');
}

/**
 * Whether credentials may be sent after a redirect from one address to another. What has left its site, or comes from
 * another one, goes on without: else any site could have requests sent in the operator's name. HTTP to HTTPS of a host is
 * the same site here.
 */
export function mayCarryOn(from: URL, to: URL, has: (url: URL) => boolean): boolean {
  if (has(from) && !has(to)) return false;
  const isUpgrade = from.protocol === 'http:' && to.protocol === 'https:' && from.hostname === to.hostname;
  return from.origin === to.origin || (isUpgrade && from.port === '' && to.port === '');
}
