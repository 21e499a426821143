import { html } from 'hono/html';
import type { Inline, TextBlock } from '../../../engine/markdown/blocks.ts';
import { stripInvisible } from '../../../text/line/invisible.ts';
import type { Html } from './frame.ts';
import { safeHref } from './safe-href.ts';

interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** What is marked in a text. Each list is in order, without overlaps. Offsets are those of the text. */
export interface Marked {
  readonly matches: readonly Stretch[];
  /** `number` names the place where the passage begins. */
  readonly passages: readonly (Stretch & { readonly number: number })[];
}

/** The id of the element in which a passage begins, and of a heading. */
export const passageId = (number: number): string => `passage-${number}`;
export const headingId = (start: number): string => `section-${start}`;

/** A text as HTML, made from its blocks alone: what the page says is never markup. Its headings begin at level 2. */
export function textHtml(blocks: readonly TextBlock[], { matches, passages }: Marked): Html[] {
  let [nextMatch, nextPassage] = [0, 0];
  const begun = new Set<number>();

  /** Called for texts in their order. */
  const text = (start: number, words: string): Html[] => {
    const end = start + words.length;
    while ((matches[nextMatch]?.end ?? end) <= start) nextMatch += 1;
    while ((passages[nextPassage]?.end ?? end) <= start) nextPassage += 1;
    const pieces: Html[] = [];
    let passage = nextPassage;
    for (let offset = start; offset < end; ) {
      while ((passages[passage]?.end ?? end) <= offset) passage += 1;
      const current = passages[passage];
      const isIn = current !== undefined && current.start <= offset;
      const to = Math.min(end, current === undefined ? end : isIn ? current.end : current.start);
      const piece = withMatches(offset, words.slice(offset - start, to - start));
      pieces.push(...(isIn ? [inPassage(current.number, piece)] : piece));
      offset = to;
    }
    return pieces;
  };

  const withMatches = (start: number, words: string): Html[] => {
    const end = start + words.length;
    const pieces: Html[] = [];
    let offset = start;
    for (let index = nextMatch; (matches[index]?.start ?? end) < end; index += 1) {
      const match = matches[index] as Stretch;
      const [from, to] = [Math.max(match.start, offset), Math.min(match.end, end)];
      if (to <= from) continue;
      pieces.push(plain(words.slice(offset - start, from - start)));
      pieces.push(html`<mark>${stripInvisible(words.slice(from - start, to - start))}</mark>`);
      offset = to;
    }
    pieces.push(plain(words.slice(offset - start)));
    return pieces;
  };

  const inPassage = (number: number, piece: readonly Html[]): Html => {
    if (begun.has(number)) return html`<span class="passage">${piece}</span>`;
    begun.add(number);
    return html`<span class="passage" id="${passageId(number)}">${piece}</span>`;
  };

  const inlines = (list: readonly Inline[]): Html[] =>
    list.flatMap((inline): Html[] => {
      if (inline.kind === 'text') return text(inline.start, inline.text);
      const inner = inlines(inline.of);
      if (inline.kind !== 'link') return [wrapped(inline.kind, inner)];
      const href = safeHref(inline.url);
      const hasText = inline.of.some((piece) => piece.kind !== 'text' || piece.text.trim() !== '');
      if (href === undefined || !hasText) return inner;
      return [html`<a href="${href}" rel="noreferrer noopener nofollow">${inner}</a>`];
    });

  const levelOf = createHeadingLevels(blocks);
  const heading = ({ level, start }: HeadingBlock, inner: readonly Html[]): Html => {
    const id = headingId(start);
    switch (levelOf(level)) {
      case 2:
        return html`<h2 id="${id}" dir="auto">${inner}</h2>`;
      case 3:
        return html`<h3 id="${id}" dir="auto">${inner}</h3>`;
      case 4:
        return html`<h4 id="${id}" dir="auto">${inner}</h4>`;
      default:
        return html`<h5 id="${id}" dir="auto">${inner}</h5>`;
    }
  };

  const block = (each: TextBlock): Html => {
    switch (each.kind) {
      case 'paragraph':
        return html`<p dir="auto">${inlines(each.of)}</p>`;
      case 'heading':
        return heading(each, inlines(each.of));
      case 'code':
        return html`<pre tabindex="0" dir="ltr"><code>${text(each.start, each.text)}</code></pre>`;
      case 'quotation':
        return html`<blockquote>${each.of.map(block)}</blockquote>`;
      case 'list': {
        const items = each.items.map((item) => html`<li>${item.map(block)}</li>`);
        return each.first === undefined
          ? html`<ul>${items}</ul>`
          : html`<ol start="${each.first}">${items}</ol>`;
      }
      case 'table':
        return html`<div class="scroll" role="group" aria-label="Table" tabindex="0"><table>${each.rows.map(
          (row) => html`<tr>${row.map((cell) => html`<td dir="auto">${inlines(cell)}</td>`)}</tr>`,
        )}</table></div>`;
    }
  };
  return blocks.map(block);
}

function wrapped(kind: 'code' | 'strong' | 'emphasis', inner: readonly Html[]): Html {
  if (kind === 'code') return html`<code>${inner}</code>`;
  return kind === 'strong' ? html`<strong>${inner}</strong>` : html`<em>${inner}</em>`;
}

function plain(text: string): Html {
  return html`${stripInvisible(text)}`;
}

type HeadingBlock = Extract<TextBlock, { kind: 'heading' }>;

/** The level of each heading below the title of the page: from 2 on, and never one left out, as screen readers expect. */
function createHeadingLevels(blocks: readonly TextBlock[]): (level: number) => number {
  const levels = blocks.flatMap((each) => (each.kind === 'heading' ? [each.level] : []));
  const highest = Math.min(...levels, maxHeadingLevel);
  let before = 1;
  return (level) => {
    before = Math.min(Math.max(2, level - highest + 2), before + 1, maxHeadingLevel);
    return before;
  };
}

const maxHeadingLevel = 5;
