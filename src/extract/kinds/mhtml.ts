import { readHtml } from '../html.ts';
import type { Kind } from './kind.ts';
import { decodeHeader, leavesOf, parseMime } from './mime.ts';

/** A page that a browser saved as one file (RFC 2557): its first HTML part, read as the page at its own address. */
export const mhtml: Kind = {
  name: 'MHTML',
  mediaTypes: ['multipart/related', 'application/x-mimearchive'],
  endings: ['mhtml', 'mht'],
  begins: ({ beginning }) =>
    /^(?:[\w-]+: .*(?:\r?\n[ \t].*)*\r?\n){0,20}content-type:\s*multipart\/related/i.test(beginning) &&
    /^(?:snapshot-content-location|content-location|from: <?saved by)/im.test(beginning)
      ? 'yes'
      : 'maybe',
  read({ url, now, bytes }) {
    const message = parseMime(bytes);
    const page = leavesOf(message).find(
      ({ type }) => type === 'text/html' || type === 'application/xhtml+xml',
    );
    if (page === undefined) return null;
    const location =
      page.headers.get('content-location') ?? message.headers.get('snapshot-content-location') ?? '';
    const address = /^https?:/i.test(location) && URL.canParse(location) ? location : url;
    const reading = readHtml(page.text(), { url: address, now, xml: page.type === 'application/xhtml+xml' });
    const subject = decodeHeader(message.headers.get('subject') ?? '').trim();
    return { ...reading, title: reading.title || subject, canonical: null };
  },
};
