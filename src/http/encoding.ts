import { brotliCompress, constants, gzip } from 'node:zlib';

export type Encoding = 'br' | 'gzip';

/** What we offer, the denser first. */
const offered: readonly Encoding[] = ['br', 'gzip'];

/** Below this a header more costs about what compressing saves. */
const smallestBytes = 1024;

/**
 * The encoding for an `Accept-Encoding` header (RFC 9110, section 12.5.3) by its weights, ours where they are equal;
 * undefined when the client named none of ours, and for a body that is too small to gain.
 */
export function chooseEncoding(accept: string | undefined, bytes: number): Encoding | undefined {
  if (accept === undefined || bytes < smallestBytes) return undefined;
  const weights = new Map(accept.split(',', 20).map(weighed));
  let best: { encoding: Encoding; weight: number } | undefined;
  for (const encoding of offered) {
    const weight = weights.get(encoding) ?? weights.get('*') ?? 0;
    if (weight > (best?.weight ?? 0)) best = { encoding, weight };
  }
  return best?.encoding;
}

/** Compresses off the event loop. */
export function compress(text: string, encoding: Encoding): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, bytes: Uint8Array<ArrayBuffer>): void => {
      if (error) reject(error);
      else resolve(bytes);
    };
    // Quality 4 takes about the time of gzip's default and is denser; the default, 11, takes a hundred times as long.
    if (encoding === 'br') brotliCompress(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }, done);
    else gzip(text, done);
  });
}

function weighed(item: string): [name: string, weight: number] {
  const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return [name, weight === undefined ? 1 : Number(weight) || 0];
}
