import { brotliCompress, constants, gzip } from 'node:zlib';

export type Encoding = 'br' | 'gzip';

/** Supported encodings, the one with the better ratio first. */
const offered: readonly Encoding[] = ['br', 'gzip'];

/** Below this size the extra header costs about as much as compression saves. */
const minBytes = 1024;

/**
 * Chooses the encoding by the weights of an `Accept-Encoding` header (RFC 9110, section 12.5.3); equal weights are
 * decided by our order. Undefined when the client accepts none of ours, and for a body below `minBytes`.
 */
export function chooseEncoding(accept: string | undefined, bytes: number): Encoding | undefined {
  if (accept === undefined || bytes < minBytes) return undefined;
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
    // Quality 4 is about as fast as gzip's default level and smaller; the default, 11, is a hundred times slower.
    if (encoding === 'br') brotliCompress(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }, done);
    else gzip(text, done);
  });
}

function weighed(item: string): [name: string, weight: number] {
  const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return [name, weight === undefined ? 1 : Number(weight) || 0];
}
