import { PageParser, PageTokenizer, type ReadAttributes } from './page-parser.ts';

/** Deeper elements are left out and their text goes to the ancestor at this depth. */
const maxDepth = 400;
const maxNodes = 400_000;
/** htmlparser2 searches its tag stack at every closing tag, so a page that nests deeper than this is cut. */
const maxOpenTags = 3000;
const pieceLength = 32 * 1024;

export type Node = Element | string;

export interface Element {
  readonly tag: string;
  readonly attributes: ReadAttributes;
  readonly parent: Element | null;
  readonly children: Node[];
  /** Weight of the text nodes right below, and the part of it in whole sentences; -1 until `measure` has looked. */
  ownText: number;
  ownProse: number;
  /** Set by the main-text steps; a dropped element stays in the tree, so that a later step can take it back. */
  dropped: boolean;
  /** The next three are set by `measure`. Weight of the visible text, as `weigh` counts. */
  text: number;
  /** The part of `text` in links. */
  linked: number;
  /** The part of `text` that is prose: paragraphs, code, list items and cells, without their links. */
  prose: number;
}

export interface HtmlTree {
  readonly root: Element;
  /** Elements of the tags in `indexed`, in document order, so that metadata needs no further walk. */
  readonly byTag: ReadonlyMap<string, readonly Element[]>;
  /** Elements with an `itemprop`, `property` or `rel` on anything but meta and link. */
  readonly annotated: readonly Element[];
  /** Every `itemtype`, as written. */
  readonly itemTypes: readonly string[];
}

const indexed = new Set(
  'html base meta title link script a area time h1 h2 h3 article main body relative-time frame iframe noscript'.split(
    ' ',
  ),
);
const opaque = new Set(['style', 'script']);
/** One string for each common tag: comparing equal strings that are different objects costs more. */
const commonTags = new Map(
  `a abbr address article aside b blockquote body br button canvas caption center cite code col colgroup dd del details div dl dt
  em fieldset figcaption figure font footer form frame g h1 h2 h3 h4 h5 h6 head header hr html i iframe img input ins kbd label
  legend li link main map meta nav noscript ol optgroup option p path picture polygon pre rect s script section select small
  source span strong style sub summary sup svg symbol table tbody td template textarea tfoot th thead time title tr u ul use
  video`
    .split(/\s+/)
    .map((tag) => [tag, tag]),
);

/**
 * Parses in one pass and in memory linear in the input. Never throws: the part of a page beyond the limits above is left
 * out.
 */
export function parseHtml(html: string, options: { readonly xml: boolean } = { xml: false }): HtmlTree {
  const root = createElement('#document', {}, null);
  const byTag = new Map<string, Element[]>();
  const annotated: Element[] = [];
  const itemTypes: string[] = [];
  let current = root;
  let depth = 0;
  let nodes = 0;
  let pending = '';

  const flush = () => {
    if (pending === '') return;
    current.children.push(pending);
    nodes++;
    pending = '';
  };
  const parser = new PageParser(
    {
      onopentag(name, attributes) {
        if (++depth > maxDepth || nodes >= maxNodes) return;
        flush();
        const tag = commonTags.get(name) ?? name;
        const element = createElement(tag, attributes, current);
        current.children.push(element);
        nodes++;
        current = element;
        if (indexed.has(tag)) append(byTag, tag, element);
        if (attributes.itemprop !== undefined || attributes.rel !== undefined) annotated.push(element);
        if (attributes.itemtype !== undefined) itemTypes.push(attributes.itemtype);
      },
      ontext(data) {
        if (opaque.has(current.tag) && !isJsonLd(current)) return;
        pending += data;
      },
      onclosetag() {
        if (depth-- > maxDepth || nodes >= maxNodes) return;
        flush();
        current = current.parent ?? root;
      },
    },
    { recognizeSelfClosing: options.xml, recognizeCDATA: options.xml, Tokenizer: PageTokenizer },
  );
  // HTML has no CDATA outside SVG and MathML; htmlparser2 would skip the page up to a missing `]]>`.
  const source = options.xml ? html : html.replaceAll('<![CDATA[', '');
  for (let at = 0; at < source.length && depth < maxOpenTags && nodes < maxNodes; at += pieceLength) {
    parser.write(source.slice(at, at + pieceLength));
  }
  if (depth < maxOpenTags && nodes < maxNodes) parser.end();
  flush();
  return { root, byTag, annotated, itemTypes };
}

function createElement(tag: string, attributes: ReadAttributes, parent: Element | null): Element {
  return {
    tag,
    attributes,
    parent,
    children: [],
    ownText: -1,
    ownProse: 0,
    dropped: false,
    text: 0,
    linked: 0,
    prose: 0,
  };
}

function append(index: Map<string, Element[]>, tag: string, element: Element): void {
  const list = index.get(tag);
  if (list === undefined) index.set(tag, [element]);
  else list.push(element);
}

function isJsonLd(element: Element): boolean {
  return element.tag === 'script' && /^application\/ld\+json/i.test(element.attributes.type?.trim() ?? '');
}

const headingTags = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6']);

/** Whether an element is a heading, of any level. */
export function isHeading({ tag }: Element): boolean {
  return headingTags.has(tag);
}

/** The text of an element without dropped elements, in one string, with white space unchanged. */
export function textOf(element: Element): string {
  let text = '';
  for (const child of element.children) {
    if (typeof child === 'string') text += child;
    else if (!child.dropped) text += child.tag === 'br' ? ' ' : textOf(child);
  }
  return text;
}

/** True if `element` or one of its ancestors satisfies the test. */
export function hasAncestor(element: Element, test: (ancestor: Element) => boolean): boolean {
  for (let at: Element | null = element; at !== null; at = at.parent) if (test(at)) return true;
  return false;
}
