import { decodeUnreserved } from '../../store/page/unreserved.ts';

/** Longer URLs are traps far more often than pages. */
export const maxUrlLength = 2048;

/** Parameters that identify a visitor or a campaign, never the page. */
const trackingParameter =
  /^(utm_\w+|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|yclid|twclid|ttclid|li_fat_id|igshid|igsh|mc_cid|mc_eid|mkt_tok|_hsenc|_hsmi|_ga|_gl|srsltid|spm|_openstat|vero_id|wickedid|oly_(?:anon|enc)_id|s_cid|ref_src|phpsessid|jsessionid|aspsessionid\w*|cfid|cftoken)$/i;

/** Names of session parameters that other parameters have too: dropped when the value looks like a session id. */
const sessionParameter = /^(?:s|sid|sess|sessid|session|session_?id|zenid|osc(?:ad|s)id)$/i;
const sessionNumber = /^(?=.*\d)(?=.*[a-z])[0-9a-z]{16,}$/i;

/** Session ids of Java, and of ASP.NET without cookies: `/(S(lit3py55t21z5v55vlm25s55))/`. */
const sessionInPath = /;jsessionid=[^/;]*|\/\((?:[A-Z]\([0-9a-z_-]+\))+\)(?=\/)/gi;

/**
 * The one spelling under which a page is stored: parsed by the WHATWG URL standard (host in lower case and punycode,
 * no default port, no dot segments), without fragment, tracking parameters, session ids, or the root dot of the
 * host, with upper-case percent escapes (RFC 3986 section 6.2.2.1), and without escapes of unreserved characters (section
 * 6.2.2.2). The query keeps its order, which may have a meaning. Idempotent. Null for a URL that is not http(s), has credentials, or is longer than `maxUrlLength`.
 */
export function canonicalUrl(url: string, base?: string): string | null {
  const parsed = parseUrl(url, base);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return null;
  if (parsed.username !== '' || parsed.password !== '') return null;
  const hostname = parsed.hostname.replace(/\.+$/, '');
  const port = parsed.port === '' ? '' : `:${parsed.port}`;
  const plain = { path: decodeUnreserved(parsed.pathname), query: decodeUnreserved(parsed.search) };
  const path = upperCaseEscapes(plain.path.replace(sessionInPath, '') + withoutTracking(plain.query));
  // Parsed again, because a host or a path may change its meaning after the cuts: `/.;jsessionid=1`.
  const canonical = parseUrl(`${parsed.protocol}//${hostname}${port}${path}`)?.href ?? null;
  return canonical !== null && canonical.length <= maxUrlLength ? canonical : null;
}

/** `URL.parse`, which not every Node 20 has. */
export function parseUrl(url: string, base?: string): URL | null {
  return URL.canParse(url, base) ? new URL(url, base) : null;
}

function withoutTracking(search: string): string {
  const pairs = search
    .slice(1)
    .split('&')
    .filter((pair) => {
      const [name = '', value = ''] = pair.split('=', 2);
      return !trackingParameter.test(name) && !(sessionParameter.test(name) && sessionNumber.test(value));
    });
  const query = pairs.join('&');
  return query === '' ? '' : `?${query}`;
}

function upperCaseEscapes(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (octet) => octet.toUpperCase());
}
