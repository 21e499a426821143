import { Parser } from 'htmlparser2';

const tags =
  /<\/?(?:a|b|br|div|em|font|h[1-6]|hr|i|img|li|ol|p|small|span|strong|sub|sup|table|tbody|td|th|tr|u|ul)\b[^<>]{0,500}>/gi;
const reference = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,31}\d{0,2});/i;

/** Plain text from a value that a template escaped twice, or not at all: without tags, with references decoded. */
export function withoutMarkup(value: string): string {
  const text = value.includes('<') ? value.replace(tags, ' ') : value;
  if (!reference.test(text)) return text;
  let decoded = '';
  const parser = new Parser({
    ontext(data) {
      decoded += data;
    },
  });
  parser.end(text.replaceAll('<', '&lt;'));
  return decoded;
}
