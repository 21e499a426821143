import { oneLine } from '../../text/line/one-line.ts';
import type { Kind } from './kind.ts';
import { htmlText, readingOfMarkup } from './markup-reading.ts';
import { decodeHeader, leavesOf, type MimePart, parseMime } from './mime.ts';

const mailHeader =
  /^(?:(?:from|to|subject|date|received|return-path|message-id|mime-version|delivered-to|x-[\w-]+|dkim-signature|content-type|reply-to|sender|cc): .*(?:\r?\n[ \t].*)*\r?\n){3}/i;

/** Mail (RFC 5322): the plain text, otherwise the HTML; subject, sender and date. Attachments are left out. */
export const mail: Kind = {
  name: 'mail',
  mediaTypes: ['message/rfc822'],
  endings: ['eml'],
  begins: ({ beginning }) => (mailHeader.test(beginning) && /^from: /im.test(beginning) ? 'yes' : 'maybe'),
  read({ url, now, bytes }) {
    const message = parseMime(bytes);
    const leaves = leavesOf(message).filter(({ isAttachment }) => !isAttachment);
    const plain = leaves.find(({ type }) => type === 'text/plain');
    const html = leaves.find(({ type }) => type === 'text/html');
    const plainText = plain?.text().trim() ?? '';
    const markup = plainText !== '' || html === undefined ? paragraphs(plainText) : html.text();
    const header = (name: string) => oneLine(decodeHeader(message.headers.get(name) ?? ''));
    const date = Date.parse(header('date').replace(/\s*\([^)]*\)\s*$/, ''));
    return readingOfMarkup(markup, {
      url,
      title: header('subject') || undefined,
      author: senderOf(header('from')),
      publishedAt: date <= now ? date : null,
      declaredLang: languageOf(message),
    });
  },
};

function paragraphs(text: string): string {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => `<p>${htmlText(paragraph.trim()).replace(/\r?\n/g, '<br>')}</p>`)
    .join('\n');
}

/** The name of a mailbox; null where there is an address alone. */
function senderOf(from: string): string | null {
  const name = from.replace(/<[^>]*>.*$/, '').replace(/^["'\s]+|["'\s]+$/g, '');
  return name === '' || name.includes('@') ? null : name;
}

function languageOf({ headers }: MimePart): string | null {
  const language = headers.get('content-language')?.split(',', 1)[0]?.trim() ?? '';
  return /^[a-z]{2,3}(?:-\w+)*$/i.test(language) ? language : null;
}
