import type { ParameterError } from '../contract/errors.ts';
import { nearestName } from '../nearest-name.ts';

export interface QueryString {
  readonly values: Readonly<Record<string, string>>;
  /** Parameters that are repeated or not percent-encoded UTF-8. They have no value. */
  readonly errors: readonly ParameterError[];
  /** Names that are not among those that are read, without duplicates. */
  readonly ignored: readonly string[];
}

const maxIgnored = 8;
/** A name that a header can hold as it is: a token of RFC 9651. */
const token = /^[a-z*][\w.*-]{0,39}$/i;

/**
 * Reads the parameters `names` of a URL's query, decoded as `application/x-www-form-urlencoded`; others are named in `ignored`.
 * Stricter than `URLSearchParams`: a repeated parameter and an invalid escape are errors. Never throws.
 */
export function readQueryString(url: string, names: readonly string[]): QueryString {
  const given = new Map<string, string[]>();
  const ignored = new Set<string>();
  for (const pair of rawQuery(url).split('&')) {
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    if (name === undefined) continue;
    if (!names.includes(name)) {
      ignored.add(name);
      continue;
    }
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
  return { values, errors, ignored: [...ignored].filter((name) => name !== '') };
}

/**
 * The value of the `Gleaner-Ignored` header: at most eight names, each with the one of `names` that was probably meant, which
 * `otherNames` may say. A name that is no token is left out: anybody may have chosen it. Empty for none.
 */
export function ignoredNames(
  ignored: readonly string[],
  names: readonly string[],
  otherNames: Readonly<Record<string, string>> = {},
): string {
  return ignored
    .filter((name) => token.test(name))
    .slice(0, maxIgnored)
    .map((name) => {
      const meant = Object.hasOwn(otherNames, name) ? otherNames[name] : nearestName(name, names);
      return meant === undefined ? name : `${name};meant=${meant}`;
    })
    .join(', ');
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
