import { isIP } from 'node:net';

/** The headers by which proxies say whom they ask for; which one they write is a setting, since anybody can send both. */
export const forwardingHeaders = ['x-forwarded-for', 'forwarded'] as const;
export type ForwardingHeader = (typeof forwardingHeaders)[number];

/** More proxies than this stand before nobody. */
const maxHops = 32;

/**
 * The addresses that such a header names, the one that the nearest proxy wrote last; undefined for what is no address,
 * such as `unknown`. At most the last 32.
 */
export function forwardedAddresses(
  header: ForwardingHeader,
  value: string | undefined,
): (string | undefined)[] {
  if (value === undefined || value.trim() === '') return [];
  const elements = splitOutsideQuotes(value, ',').slice(-maxHops);
  return elements.map((element) =>
    addressOf(header === 'forwarded' ? forParameter(element) : element.trim()),
  );
}

/** The node of an element's `for` parameter (RFC 7239 section 4), without its quotes; empty when it has none or two. */
function forParameter(element: string): string {
  const nodes = splitOutsideQuotes(element, ';').flatMap((pair) => {
    const [, name, value] = /^\s*([^\s=]+)=(.*?)\s*$/.exec(pair) ?? [];
    return name?.toLowerCase() === 'for' && value !== undefined ? [value] : [];
  });
  const [node = ''] = nodes;
  if (nodes.length !== 1) return '';
  return /^".*"$/.test(node) ? node.slice(1, -1).replaceAll(/\\(.)/g, '$1') : node;
}

/** An address with or without port: `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]:80`. */
function addressOf(node: string): string | undefined {
  const inBrackets = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(node)?.[1];
  if (inBrackets !== undefined) return isIP(inBrackets) === 6 ? inBrackets : undefined;
  if (isIP(node) !== 0) return node;
  const beforePort = /^([\d.]+):\d{1,5}$/.exec(node)?.[1];
  return beforePort !== undefined && isIP(beforePort) === 4 ? beforePort : undefined;
}

/** Linear in the length; a quote that is not closed holds the rest. */
function splitOutsideQuotes(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = [];
  let from = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (quoted && character === '\\') at += 1;
    else if (character === '"') quoted = !quoted;
    else if (character === separator && !quoted) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  parts.push(text.slice(from));
  return parts;
}
