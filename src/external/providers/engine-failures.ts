import { z } from 'zod';

/** Pairs of an engine and what SearXNG says of it (searxng, searx/webutils.py); anything else is no engine. */
const Pair = z.tuple([z.unknown(), z.unknown()]).rest(z.unknown());

/** What SearXNG says of an engine (the same file), and what we say instead: its own words may hold anything. */
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
/** Names of engines are short; what is not may be a text that wants to be read as one of ours. */
const engineName = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,29}$/u;
const maxReasonLength = 200;

/** Which engines could not be asked, and why, in a few bounded words of our own; undefined when all were. */
export function engineFailures(unresponsive: unknown): string | undefined {
  if (!Array.isArray(unresponsive) || unresponsive.length === 0) return undefined;
  const told = unresponsive.slice(0, maxNamed).map((entry) => {
    const [name, reason] = Pair.safeParse(entry).data ?? [];
    return `${typeof name === 'string' && engineName.test(name) ? name : 'an engine'} (${inOurWords(reason)})`;
  });
  const more = unresponsive.length - told.length;
  return `engines failed: ${told.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function inOurWords(reason: unknown): string {
  const said = typeof reason === 'string' ? reason.slice(0, maxReasonLength) : '';
  const why = reasons.find(([pattern]) => pattern.test(said))?.[1] ?? 'failed';
  // It is left alone by SearXNG itself, for what it did before.
  return /^\s*suspended/i.test(said) ? `suspended: ${why}` : why;
}
