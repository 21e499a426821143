/**
 * An opening or closing tag as CommonMark defines it (0.31.2, section 6.6). No part can be matched in two ways and none
 * but a quoted value holds a `<`, so matching takes linear time.
 */
const tag =
  /<(\/?)([a-z][a-z\d-]*)(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?>/iy;

/** After one of these HTML reads no tags until its closing tag, which would take the rest of the document. */
const rawTextTags = new Set('iframe noembed noframes plaintext script style textarea title xmp'.split(' '));
const rawTextEnd = /<\/(iframe|noembed|noframes|script|style|textarea|title|xmp)\s*>/gi;

/**
 * Raw HTML out of a Markdown document, such that nothing of it acts on what follows: comments are gone, and every `<`
 * that begins no complete tag is text. So is a raw-text tag without its closing tag (GitHub Flavored Markdown, section
 * 6.11: `the <script> tag` is what its writer means).
 */
export function completeTags(html: string): string {
  const nextEnd = rawTextEnds(html);
  const lastBracket = html.lastIndexOf('>');
  let out = '';
  let at = 0;
  for (let open = html.indexOf('<'); open >= 0; open = html.indexOf('<', at)) {
    out += html.slice(at, open);
    if (html.startsWith('<!--', open)) {
      const end = html.indexOf('-->', open + 2);
      if (end < 0) return out;
      at = end + 3;
    } else if (open < lastBracket && /[!?]/.test(html[open + 1] ?? '')) {
      at = html.indexOf('>', open) + 1;
    } else {
      tag.lastIndex = open;
      const [whole = '<', slash = '', name = ''] = tag.exec(html) ?? [];
      const isRawText = slash === '' && rawTextTags.has(name.toLowerCase());
      const end = isRawText ? nextEnd(name.toLowerCase(), open) : open + whole.length;
      if (whole === '<' || end === undefined) out += `&lt;${whole.slice(1)}`;
      else if (isRawText) out += whole + escapeContent(html.slice(open + whole.length, end));
      else out += whole;
      at = end ?? open + whole.length;
    }
  }
  return out + html.slice(at);
}

/** The content of a raw-text element with its closing tag: below `<svg>` the content is read as markup. */
function escapeContent(contentAndEnd: string): string {
  const end = contentAndEnd.lastIndexOf('<');
  return contentAndEnd.slice(0, end).replaceAll('<', '&lt;') + contentAndEnd.slice(end);
}

/** Where the element of a raw-text tag ends that begins at an offset; requested in ascending order of offsets. */
function rawTextEnds(html: string): (name: string, from: number) => number | undefined {
  const ends = new Map<string, { start: number; end: number }[]>();
  for (const match of html.matchAll(rawTextEnd)) {
    const name = (match[1] as string).toLowerCase();
    const found = ends.get(name) ?? [];
    found.push({ start: match.index, end: match.index + match[0].length });
    ends.set(name, found);
  }
  for (const found of ends.values()) found.reverse();
  return (name, from) => {
    const found = ends.get(name) ?? [];
    while ((found.at(-1)?.start ?? from) < from) found.pop();
    return found.at(-1)?.end;
  };
}
