import type { Mark, TextStructure } from '../../text/structure/marks.ts';

interface Range {
  readonly start: number;
  readonly end: number;
}

/** A piece of text with its offset in the body, or pieces in a link, in code or with emphasis. */
export type Inline =
  | { readonly kind: 'text'; readonly start: number; readonly text: string }
  | { readonly kind: 'code' | 'strong' | 'emphasis'; readonly of: readonly Inline[] }
  | { readonly kind: 'link'; readonly url: string; readonly of: readonly Inline[] };

/** A block of a text. What it is follows from the structure; what it says is text. */
export type TextBlock =
  | { readonly kind: 'paragraph'; readonly of: readonly Inline[] }
  | {
      readonly kind: 'heading';
      readonly level: number;
      readonly start: number;
      readonly of: readonly Inline[];
    }
  | { readonly kind: 'code'; readonly language: string; readonly start: number; readonly text: string }
  /** `first` is the number of the first item; undefined for a list without numbers. */
  | {
      readonly kind: 'list';
      readonly first: number | undefined;
      readonly items: readonly (readonly TextBlock[])[];
    }
  | { readonly kind: 'quotation'; readonly of: readonly TextBlock[] }
  | { readonly kind: 'table'; readonly rows: readonly (readonly (readonly Inline[])[])[] };

const blockKinds = new Set(['h', 'l', 'q', 'p', 't']);
/** Deeper ones are shown as part of the one around them. */
const maxDepth = 20;

/** A block mark with those in it. */
interface Node extends Range {
  readonly mark: Mark;
  readonly children: Node[];
}

/**
 * The first `length` characters of a text as blocks, in order; without a structure, as paragraphs. Offsets are UTF-16 units
 * of the body, and texts come in their order.
 */
export function blocksOf(body: string, structure: TextStructure | undefined, length: number): TextBlock[] {
  const marks = structure?.marks.filter(({ start }) => start < length) ?? [];
  const base = structure?.base ?? '';
  const inlineMarks = marks.filter(({ kind }) => !blockKinds.has(kind));
  const nodes = nested(
    marks.filter(({ kind }) => blockKinds.has(kind)),
    length,
  );

  const inlines = ({ start, end }: Range): Inline[] => {
    const inside = inlineMarks.slice(firstFrom(inlineMarks, start), firstFrom(inlineMarks, end));
    return inlineTree(body, base, inside, { start, end });
  };

  const blocks = (range: Range, children: readonly Node[]): TextBlock[] => {
    const list: TextBlock[] = [];
    let offset = range.start;
    const addLines = (end: number): void => {
      for (const line of linesIn(body, { start: offset, end }))
        list.push({ kind: 'paragraph', of: inlines(line) });
    };
    for (const [index, node] of children.entries()) {
      addLines(node.start);
      const before = children[index - 1];
      if (node.mark.kind === 'l') addItem(list, node, before);
      else list.push(block(node));
      offset = node.end;
    }
    addLines(range.end);
    return list;
  };

  const addItem = (list: TextBlock[], node: Node, before: Node | undefined): void => {
    const { start, end, mark, children } = node;
    const bullet = /^\s*- /.exec(body.slice(start, Math.min(end, start + maxIndent)))?.[0].length ?? 0;
    const item = blocks({ start: start + bullet, end }, children);
    const last = list.at(-1);
    const isNumbered = mark.value !== '';
    const continues =
      before?.mark.kind === 'l' &&
      last?.kind === 'list' &&
      (last.first !== undefined) === isNumbered &&
      body.slice(before.end, start).trim() === '';
    const first = isNumbered ? Number(mark.value) : undefined;
    if (continues) list[list.length - 1] = { ...last, items: [...last.items, item] };
    else list.push({ kind: 'list', first, items: [item] });
  };

  const block = ({ start, end, mark, children }: Node): TextBlock => {
    switch (mark.kind) {
      case 'h':
        return { kind: 'heading', level: Number(mark.value), start, of: inlines({ start, end }) };
      case 'p':
        return { kind: 'code', language: mark.value, start, text: body.slice(start, end) };
      case 't':
        return { kind: 'table', rows: linesIn(body, { start, end }).map((row) => cellsOf(row)) };
      default:
        return { kind: 'quotation', of: blocks({ start, end }, children) };
    }
  };

  const cellsOf = ({ start, end }: Range): Inline[][] => {
    let offset = start;
    return body
      .slice(start, end)
      .split('\t')
      .map((cell) => {
        const range = { start: offset, end: offset + cell.length };
        offset = range.end + 1;
        return inlines(range);
      });
  };

  return blocks({ start: 0, end: length }, nodes);
}

/** Spaces before the sign of an item. */
const maxIndent = 100;

/** Marks in each other; one that ends outside of the one around it ends with it. */
function nested(marks: readonly Mark[], length: number): Node[] {
  const top: Node[] = [];
  const open: Node[] = [];
  for (const mark of marks) {
    while ((open.at(-1)?.end ?? length) <= mark.start && open.length > 0) open.pop();
    const around = open.at(-1);
    const end = Math.min(mark.end, around?.end ?? length);
    if (end <= mark.start || open.length >= maxDepth) continue;
    // Nothing but lists and quotations has blocks in it.
    if (around && around.mark.kind !== 'l' && around.mark.kind !== 'q') continue;
    const siblings = around?.children ?? top;
    const node = { mark, start: Math.max(mark.start, siblings.at(-1)?.end ?? 0), end, children: [] };
    siblings.push(node);
    open.push(node);
  }
  return top;
}

/** The lines of a range that have text, without the white space at their ends. */
function linesIn(body: string, { start, end }: Range): Range[] {
  const lines: Range[] = [];
  for (let from = start; from < end; ) {
    const found = body.indexOf('\n', from);
    const to = found < 0 || found > end ? end : found;
    if (body.slice(from, to).trim() !== '') lines.push({ start: from, end: to });
    from = to + 1;
  }
  return lines;
}

/** The index of the first mark that begins at or after an offset. */
function firstFrom(marks: readonly Mark[], offset: number): number {
  let [low, high] = [0, marks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((marks[middle]?.start ?? offset) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

const wrappers = { c: 'code', b: 'strong', i: 'emphasis' } as const;

function inlineTree(body: string, base: string, marks: readonly Mark[], range: Range): Inline[] {
  let next = 0;
  const read = ({ start, end }: Range, depth: number): Inline[] => {
    const list: Inline[] = [];
    let offset = start;
    const addText = (to: number): void => {
      if (to > offset) list.push({ kind: 'text', start: offset, text: body.slice(offset, to) });
      offset = Math.max(offset, to);
    };
    for (let mark = marks[next]; mark && mark.start < end; mark = marks[next]) {
      next += 1;
      if (mark.start < offset || depth >= maxDepth) continue;
      addText(mark.start);
      offset = Math.min(mark.end, end);
      const of = read({ start: mark.start, end: offset }, depth + 1);
      const { kind, value } = mark;
      if (kind === 'c' || kind === 'b' || kind === 'i') list.push({ kind: wrappers[kind], of });
      else if (URL.canParse(value, base)) list.push({ kind: 'link', url: new URL(value, base).href, of });
      else list.push(...of);
    }
    addText(end);
    return list;
  };
  return read(range, 0);
}
