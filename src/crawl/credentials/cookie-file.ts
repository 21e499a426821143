import { isIP } from 'node:net';
import { ServiceError } from '../../contract/errors.ts';

/** A cookie with the rules that say where it may be sent. */
export interface Cookie {
  /** Lower case, without a leading dot. */
  readonly domain: string;
  readonly withSubdomains: boolean;
  readonly path: string;
  readonly isSecure: boolean;
  /** Epoch milliseconds; undefined for a cookie of a session. */
  readonly expiresAt: number | undefined;
  readonly name: string;
  readonly value: string;
}

/** More than a browser keeps. */
const maxCookies = 10_000;
const nameCharacters = /^[\w!#$%&'*+.^`|~-]+$/;
/** RFC 6265, section 4.1.1, and the characters that browsers take besides. */
const valueCharacters = /^[\x20-\x3a\x3c-\x7e]*$/;

/**
 * Parses a cookies.txt in Netscape's format: domain, whether its subdomains count, path, whether TLS is needed, expiry in
 * seconds (0: end of the session), name and value, with tabs between. Throws `invalid_parameters` that names the line and
 * never what is in it.
 */
export function parseCookieFile(text: string, file: string): Cookie[] {
  const cookies: Cookie[] = [];
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.replace(/^#HttpOnly_/, '');
    if (line.trim() === '' || line.startsWith('#')) continue;
    const cookie = parseLine(line);
    const why = typeof cookie === 'string' ? cookie : undefined;
    if (why !== undefined || cookies.length >= maxCookies)
      throw new ServiceError(
        'invalid_parameters',
        `${file}: line ${index + 1}: ${why ?? `there may be at most ${maxCookies} cookies`}`,
      );
    cookies.push(cookie as Cookie);
  }
  return cookies;
}

/** A cookie, or why the line is none. */
function parseLine(line: string): Cookie | string {
  const [dotted = '', subdomains = '', path = '', secure = '', expiry = '', name = '', value = '', ...more] =
    line.split('\t');
  const isFlag = (text: string) => /^(?:TRUE|FALSE)$/i.test(text);
  const domain = dotted.toLowerCase().replace(/^\./, '').replace(/\.$/, '');
  if (more.length > 0 || !isFlag(subdomains) || !isFlag(secure) || !/^\d{1,15}(?:\.\d+)?$/.test(expiry))
    return 'no cookie in the format of Netscape: seven fields with tabs between';
  const withSubdomains = /^TRUE$/i.test(subdomains);
  if (domain === '' || !path.startsWith('/')) return 'a cookie needs a domain and a path';
  if (withSubdomains && !domain.includes('.')) return 'a cookie of a whole top-level domain is not taken';
  if (!nameCharacters.test(name) || !valueCharacters.test(value))
    return 'the name or the value has a character that no cookie may have';
  const seconds = Number(expiry);
  return {
    domain,
    withSubdomains,
    path,
    isSecure: /^TRUE$/i.test(secure),
    expiresAt: seconds === 0 ? undefined : seconds * 1000,
    name,
    value,
  };
}

/** The value of `Cookie` for a request (RFC 6265, section 5.4), longer paths first; undefined if no cookie is for it. */
export function cookieHeader(cookies: readonly Cookie[], url: URL, now: number): string | undefined {
  const sent = cookies
    .filter((cookie) => isFor(cookie, url, now))
    .toSorted((a, b) => b.path.length - a.path.length);
  return sent.length === 0 ? undefined : sent.map(({ name, value }) => `${name}=${value}`).join('; ');
}

function isFor(cookie: Cookie, { protocol, hostname, pathname }: URL, now: number): boolean {
  const { domain, withSubdomains, path, isSecure, expiresAt } = cookie;
  if (isSecure && protocol !== 'https:') return false;
  if (expiresAt !== undefined && expiresAt <= now) return false;
  const host = hostname.replace(/^\[|\]$|\.$/g, '');
  const isOfHost = host === domain || (withSubdomains && isIP(host) === 0 && host.endsWith(`.${domain}`));
  return isOfHost && isBelow(pathname, path);
}

/** RFC 6265, section 5.1.4. */
function isBelow(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
}
