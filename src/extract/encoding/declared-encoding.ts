import sniffHtmlEncoding from 'html-encoding-sniffer';

/** The HTML Standard searches this much of a page for a declaration. */
const prescanBytes = 1024;

/**
 * The encoding that a byte order mark, a Content-Type's `label` or a `<meta>` declares, in lower case, in this order
 * (HTML Standard, encoding sniffing algorithm); '' when none does. Never throws.
 */
export function declaredEncoding(bytes: Uint8Array, label?: string): string {
  try {
    return sniff(bytes, label);
  } catch {
    return encodingOfAnyMeta(bytes);
  }
}

/**
 * The prescan throws on a `<meta>` whose `content` ends after "charset" or "charset=", as in
 * `content="text/html; charset="utf-8""`. Then each tag is scanned separately, so that the others still count.
 */
function encodingOfAnyMeta(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, prescanBytes)).toString('latin1');
  for (const [tag] of start.replace(/<!--.*?-->/gs, '').matchAll(/<meta[\s/][^>]*>?/gi)) {
    try {
      const encoding = sniff(Buffer.from(tag, 'latin1'));
      if (encoding !== '') return encoding;
    } catch {
      // The encoding is after the quote that ends the value too early.
      const meant = /charset\s*=\s*["']+\s*([\w.:-]+)/i.exec(tag)?.[1];
      const encoding = meant === undefined ? '' : sniff(new Uint8Array(), meant);
      // A tag that could be read as ASCII is not in UTF-16 (HTML Standard, the same algorithm).
      if (encoding !== '') return encoding.startsWith('utf-16') ? 'utf-8' : encoding;
    }
  }
  return '';
}

function sniff(bytes: Uint8Array, label?: string): string {
  const transport = label === undefined ? {} : { transportLayerEncodingLabel: label };
  return sniffHtmlEncoding(bytes, { defaultEncoding: '', ...transport }).toLowerCase();
}
