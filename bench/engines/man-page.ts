/** Requests whose arguments are text; the arguments of any other are layout. */
const textRequests = /^\.(?:B|I|BR|RB|BI|IB|IR|RI|SM|SB|TP|IP)\s+(.+)$/;

/** A manual page's text as HTML: headings and paragraphs, without roff's fonts, layout and macros. */
export function manPageAsHtml(roff: string, lang: string): string {
  let title = '';
  const parts = roff.split('\n').map((line) => {
    if (line.startsWith('.TH'))
      title = argument(
        line
          .replace(/^\.TH\s*/, '')
          .split(/\s+/)
          .slice(0, 2)
          .join(' '),
      );
    const heading = /^\.S[HS]\s+(.+)$/.exec(line)?.[1];
    if (heading !== undefined) return `</p><h2>${argument(heading)}</h2><p>`;
    if (/^\.(?:PP|P|LP|TP|IP|sp|br)\b/.test(line))
      return `</p><p>${argument(textRequests.exec(line)?.[1] ?? '')}`;
    if (/^[.']/.test(line)) return argument(textRequests.exec(line)?.[1] ?? '');
    return argument(line);
  });
  return `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>${title}</title></head>
<body><main><p>${parts.join('\n')}</p></main></body></html>`;
}

/** Escapes of roff undone, those of HTML done. */
function argument(text: string): string {
  return text
    .replace(/\\f(?:\[[^\]]*\]|\(..|.)|\\[&,/|^%:]|\\s[-+]?\d+/g, '')
    .replace(/\\-/g, '-')
    .replace(/\\\((?:aq|cq|oq)|\\\(dq/g, "'")
    .replace(/\\(?:\(..|\[[^\]]*\])/g, ' ')
    .replace(/\\e/g, '\\')
    .replace(/^"(.*)"$/, '$1')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;');
}
