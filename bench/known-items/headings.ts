import { Parser } from 'htmlparser2';

/** The texts of the headings of a page, h1 to h6 in their order, without the marks that link to them. */
export function headingsOf(html: string): string[] {
  const headings: string[] = [];
  let heading: string | undefined;
  /** Buttons and the links behind a heading are no part of it. */
  let mark: { readonly tag: string; depth: number } | undefined;
  const parser = new Parser({
    onopentag(tag, { class: names = '' }) {
      if (/^h[1-6]$/.test(tag)) heading = '';
      else if (mark?.tag === tag) mark.depth++;
      else if (
        mark === undefined &&
        (tag === 'button' || /\b(?:headerlink|mark|srclink|anchor)\b/.test(names))
      )
        mark = { tag, depth: 1 };
    },
    ontext(text) {
      if (heading !== undefined && mark === undefined) heading += text;
    },
    onclosetag(tag) {
      if (mark?.tag === tag && --mark.depth === 0) mark = undefined;
      if (!/^h[1-6]$/.test(tag) || heading === undefined) return;
      headings.push(heading.replace(/\s+/g, ' ').trim());
      heading = undefined;
    },
  });
  parser.end(html);
  return headings;
}

/** Text with its character references decoded. */
export function decodeEntities(text: string): string {
  let decoded = '';
  const parser = new Parser({
    ontext: (part) => {
      decoded += part;
    },
  });
  parser.end(text.replaceAll('<', '&lt;'));
  return decoded;
}
