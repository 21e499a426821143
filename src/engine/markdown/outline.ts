import type { OutlineEntry } from '../../contract/content.ts';
import type { TextStructure } from '../../text/structure/marks.ts';

/** The headings of a text, in order. */
export function outlineOf(body: string, { marks }: TextStructure): OutlineEntry[] {
  return marks.flatMap(({ kind, start, end, value }) =>
    kind === 'h'
      ? [{ level: Number(value), title: body.slice(start, end).replace(/\s+/g, ' ').trim(), start }]
      : [],
  );
}

/** For a page that was stored without its structure. */
export const unknownStructureNotice =
  'The structure of this page is not known, so this is its plain text. A web page gets it when it is next stored; documents such as PDF have none.';
