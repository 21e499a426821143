import { z } from 'zod';

/** Pairs of an engine and SearXNG's message (searxng, searx/webutils.py). */
const Pair = z.tuple([z.unknown(), z.unknown()]).rest(z.unknown());

/** SearXNG's messages (the same file) and our own, because its messages may contain anything. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/captcha/i, 'CAPTCHA'],
  [/too many requests/i, 'too many requests'],
  [/access denied/i, 'access denied'],
  [/time(?:d )?-?out/i, 'timeout'],
  [/parsing error/i, 'parsing error'],
  [/connection error/i, 'no connection'],
  [/ssl|certificate/i, 'TLS error'],
  [/proxy error/i, 'proxy error'],
  [/network error/i, 'network error'],
  [/server api error/i, 'error of its API'],
  [/http (?:protocol )?error/i, 'HTTP error'],
  [/crash/i, 'crash'],
];
const maxNamed = 5;
/** Engine names are short; a longer text may be an injection. */
const engineName = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,29}$/u;
const maxReasonLength = 200;

/** Which engines failed and why, in a short text of our own; undefined when none did. */
export function engineFailures(unresponsive: unknown): string | undefined {
  if (!Array.isArray(unresponsive) || unresponsive.length === 0) return undefined;
  const named = unresponsive.slice(0, maxNamed).map((entry) => {
    const [name, reason] = Pair.safeParse(entry).data ?? [];
    return `${typeof name === 'string' && engineName.test(name) ? name : 'an engine'} (${inOurWords(reason)})`;
  });
  const more = unresponsive.length - named.length;
  return `engines failed: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function inOurWords(reason: unknown): string {
  const message = typeof reason === 'string' ? reason.slice(0, maxReasonLength) : '';
  const why = reasons.find(([pattern]) => pattern.test(message))?.[1] ?? 'failed';
  // SearXNG itself has suspended the engine for an earlier failure.
  return /^\s*suspended/i.test(message) ? `suspended: ${why}` : why;
}
