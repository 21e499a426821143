export type ReadableType = 'html' | 'xhtml' | 'text' | 'markdown';

/** First bytes of files that are not text, whatever their header. */
const signatures: readonly (string | readonly number[])[] = [
  '%PDF-',
  '%!PS-Adobe',
  '{\\rtf',
  'PK\x03\x04',
  'PK\x05\x06',
  '\x7fELF',
  '\0asm',
  'SQLite format 3\0',
  [0xd0, 0xcf, 0x11, 0xe0],
  [0x89, 0x50, 0x4e, 0x47],
  [0xff, 0xd8, 0xff],
  [0x1f, 0x8b],
  [0x28, 0xb5, 0x2f, 0xfd],
  [0xfd, 0x37, 0x7a, 0x58],
  [0x37, 0x7a, 0xbc, 0xaf],
  [0x00, 0x00, 0x01, 0x00],
  [0x1a, 0x45, 0xdf, 0xa3],
];

/** These may begin a text too, so they count only together with binary bytes. */
const wordLikeSignatures = ['GIF8', 'RIFF', 'OggS', 'ID3', 'fLaC', 'Rar!', 'wOFF', 'wOF2', 'BZh', 'MZ'];

const byMediaType: Readonly<Record<string, ReadableType>> = {
  'text/html': 'html',
  'application/xhtml+xml': 'xhtml',
  'text/markdown': 'markdown',
  'text/x-markdown': 'markdown',
  'text/plain': 'text',
  'text/x-rst': 'text',
  'text/csv': 'text',
  'text/tab-separated-values': 'text',
};

const undeclared = new Set(['', 'application/octet-stream', 'binary/octet-stream', 'unknown/unknown', '*/*']);
const startsLikeHtml =
  /^(?:<!--[\s\S]{0,500}?-->\s*|<\?xml[^>]{0,200}\?>\s*)*<(?:!doctype\s+html|html|head|body|title|meta|script|style|link|div|p|h1|table|a|article|main|section)[\s>/]/i;
const startsLikeXhtml = /^(?:<\?xml[^>]*\?>\s*)?(?:<!doctype html[^>]{0,300}>\s*)?<html[^>]+xmlns=/i;

/**
 * How to read these bytes; undefined for types that are not supported. Signatures take precedence over the header (a PDF
 * served as HTML is a PDF); without a header, the type is guessed from content and URL.
 */
export function readableType(
  bytes: Uint8Array,
  contentType: string | null,
  url: string,
): ReadableType | undefined {
  if (signatures.some((signature) => startsWith(bytes, signature)) || isMediaContainer(bytes))
    return undefined;
  if (wordLikeSignatures.some((word) => startsWith(bytes, word)) && hasBinaryBytes(bytes)) return undefined;
  const mediaType = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const start = beginning(bytes);
  const named = byMediaType[mediaType];
  if (named === 'html') return start.startsWith('<?xml') && startsLikeXhtml.test(start) ? 'xhtml' : 'html';
  if (named === 'text' && isMarkdownUrl(url)) return 'markdown';
  if (named !== undefined) return named;
  if (mediaType === 'text/xml' || mediaType === 'application/xml')
    return startsLikeXhtml.test(start) ? 'xhtml' : undefined;
  if (!undeclared.has(mediaType)) return undefined;
  if (startsLikeHtml.test(start)) return 'html';
  if (hasBinaryBytes(bytes)) return undefined;
  return isMarkdownUrl(url) ? 'markdown' : 'text';
}

function startsWith(bytes: Uint8Array, signature: readonly number[] | string): boolean {
  for (let index = 0; index < signature.length; index++) {
    const byte = typeof signature === 'string' ? signature.charCodeAt(index) : signature[index];
    if (bytes[index] !== byte) return false;
  }
  return true;
}

/** MP4 and related formats have `ftyp` after a length. */
function isMediaContainer(bytes: Uint8Array): boolean {
  return startsWith(bytes.subarray(4, 8), 'ftyp');
}

function beginning(bytes: Uint8Array): string {
  return new TextDecoder('latin1')
    .decode(bytes.subarray(0, 1024))
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart();
}

/** The control bytes of the MIME Sniffing Standard's "binary data byte". */
function hasBinaryBytes(bytes: Uint8Array): boolean {
  const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (isWide) return false;
  return bytes
    .subarray(0, 1445)
    .some(
      (byte) =>
        byte <= 0x08 || byte === 0x0b || (byte >= 0x0e && byte <= 0x1a) || (byte >= 0x1c && byte <= 0x1f),
    );
}

function isMarkdownUrl(url: string): boolean {
  return /\.(?:md|markdown|mdown|mkd)$/i.test(url.split(/[?#]/, 1)[0] ?? '');
}
