import type { ParameterError } from '../contract/errors.ts';

export interface QueryString {
  readonly values: Readonly<Record<string, string>>;
  /** Parameters that are repeated or not percent-encoded UTF-8. They have no value. */
  readonly errors: readonly ParameterError[];
}

/**
 * Reads the parameters `names` of a URL's query, decoded as `application/x-www-form-urlencoded`; others are ignored.
 * Stricter than `URLSearchParams`: a repeated parameter and an invalid escape are errors. Never throws.
 */
export function readQueryString(url: string, names: readonly string[]): QueryString {
  const given = new Map<string, string[]>();
  for (const pair of rawQuery(url).split('&')) {
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    if (name === undefined || !names.includes(name)) continue;
    given.set(name, [...(given.get(name) ?? []), equals < 0 ? '' : pair.slice(equals + 1)]);
  }

  const values: Record<string, string> = {};
  const errors: ParameterError[] = [];
  for (const [parameter, [raw = '', ...more]] of given) {
    const value = decode(raw);
    if (more.length > 0) errors.push({ parameter, message: 'must be given only once' });
    else if (value === undefined) errors.push({ parameter, message: 'must be percent-encoded UTF-8' });
    else values[parameter] = value;
  }
  return { values, errors };
}

function rawQuery(url: string): string {
  const query = url.indexOf('?');
  if (query < 0) return '';
  const fragment = url.indexOf('#', query);
  return url.slice(query + 1, fragment < 0 ? undefined : fragment);
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
