import { isIP } from 'node:net';

/** Headers in which proxies name the client. A setting chooses one, because any client can send both. */
export const forwardingHeaders = ['x-forwarded-for', 'forwarded'] as const;
export type ForwardingHeader = (typeof forwardingHeaders)[number];

/** Longest proxy chain that is read. */
const maxHops = 32;

/**
 * The addresses in such a header; the nearest proxy's is last. Undefined for an entry that is no address, such as
 * `unknown`. At most the last 32 entries are read.
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

/** The unquoted node of an element's `for` parameter (RFC 7239 section 4); empty when there is none or more than one. */
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

/** Takes linear time. An unclosed quote extends to the end. */
function splitOutsideQuotes(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = [];
  let from = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (quoted && character === '\\') index += 1;
    else if (character === '"') quoted = !quoted;
    else if (character === separator && !quoted) {
      parts.push(text.slice(from, index));
      from = index + 1;
    }
  }
  parts.push(text.slice(from));
  return parts;
}
