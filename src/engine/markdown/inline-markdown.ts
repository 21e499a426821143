import type { Mark, TextStructure } from '../../text/structure/marks.ts';
import { codeSpan, escapeText, linkTarget } from './escape.ts';

const wrappers = { b: '**', i: '*' } as const;

/** The inline marks of a line as Markdown: links, code, emphasis. `marks` are those that begin in the line, in order. */
export function inlineMarkdown(
  { body, base }: { readonly body: string } & Pick<TextStructure, 'base'>,
  marks: readonly Mark[],
  range: { readonly start: number; readonly end: number },
): string {
  let next = 0;
  const render = (start: number, end: number, inLink: boolean): string => {
    let text = '';
    let offset = start;
    while (true) {
      const mark = marks[next];
      if (mark === undefined || mark.start >= end) break;
      next += 1;
      if (mark.start < offset) continue;
      text += escapeText(body.slice(offset, mark.start), inLink);
      offset = Math.min(mark.end, end);
      text += marked(mark, offset, inLink);
    }
    return text + escapeText(body.slice(offset, end), inLink);
  };
  const marked = ({ kind, start, value }: Mark, end: number, inLink: boolean): string => {
    if (kind === 'c') {
      while ((marks[next]?.start ?? end) < end) next += 1;
      return codeSpan(body.slice(start, end));
    }
    const inner = render(start, end, inLink || kind === 'a');
    const [, before = '', words = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(inner) ?? [];
    if (words === '') return inner;
    if (kind === 'b' || kind === 'i') return `${before}${wrappers[kind]}${words}${wrappers[kind]}${after}`;
    const address = inLink || !URL.canParse(value, base) ? undefined : new URL(value, base).href;
    return address === undefined ? inner : `${before}[${words}](${linkTarget(address)})${after}`;
  };
  return render(range.start, range.end, false);
}
