import type { Element, HtmlTree } from '../tree.ts';
import { denseBlock } from './dense-block.ts';

/** Names of the block with the text in publishing systems. */
const contentName =
  /(?:^|[\s_-])(?:entry-content|post-content|article-content|article-body|article__body|articlebody|article-text|articletext|story-body|post-body|blog-content|single-content|post__content|article__content|entry__content|markdown-body|mw-parser-output|js_content|topic-content)(?:$|\s|_|-)/i;
const genericName =
  /(?:^|\s)(?:content|main|main-content|maincontent|page-content|site-content|primary|content-main|documentwrapper|container-content)(?:$|\s)/i;

/** Minimum share of the page's remaining text in a candidate of each kind. */
const shares = { articleBody: 0.35, contentName: 0.4, article: 0.5, main: 0.2, genericName: 0.5 };

/** Kinds that occur once for each post of a forum. */
const onePost: ReadonlySet<string> = new Set(['articleBody', 'contentName', 'article']);

/**
 * The element with the content: the largest element of the most explicit kind that has enough of the text; otherwise the
 * whole page. Then narrowed by `tighten`. Elements must be `measure`d.
 */
export function contentRoot(
  tree: HtmlTree,
  options: { readonly manyPosts: boolean },
): { root: Element; isWholePage: boolean } {
  const { root } = tree;
  const candidates = { articleBody: root, contentName: root, article: root, main: root, genericName: root };
  type Kind = keyof typeof candidates;
  const largest: Record<Kind, number> = {
    articleBody: 0,
    contentName: 0,
    article: 0,
    main: 0,
    genericName: 0,
  };

  function offer(kind: Kind, element: Element): void {
    if (element.text <= largest[kind]) return;
    largest[kind] = element.text;
    candidates[kind] = element;
  }
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one test after the other for each kind of candidate
  (function visit(element: Element): void {
    for (const child of element.children) {
      if (typeof child === 'string' || child.dropped || child.text === 0) continue;
      const { attributes } = child;
      if (attributes.itemprop !== undefined && /articleBody/i.test(attributes.itemprop))
        offer('articleBody', child);
      if (child.tag === 'article') offer('article', child);
      if (child.tag === 'main' || attributes.role === 'main') offer('main', child);
      const { class: classes = '', id = '' } = attributes;
      if (classes !== '' || id !== '') {
        if (contentName.test(classes) || contentName.test(id)) offer('contentName', child);
        if (genericName.test(classes) || genericName.test(id)) offer('genericName', child);
      }
      visit(child);
    }
  })(root);
  for (const kind of Object.keys(candidates) as Kind[]) {
    if (options.manyPosts && onePost.has(kind)) continue;
    if (largest[kind] > root.text * shares[kind])
      return { root: tighten(candidates[kind]), isWholePage: false };
  }
  return { root: denseBlock(tighten(root)), isWholePage: true };
}

const containers = new Set(
  '#document html body div section article main center form table tbody tr td'.split(' '),
);
const minProseShare = 0.95;
/** A block with less of the text is an introduction: what it introduces is a list of products or of threads. */
const minTextShare = 0.15;
/** A cell is the column with the content only if it has most of its row's text; otherwise the row is part of a table. */
const minCellShare = 0.7;

/** Goes down while one child has nearly all of the prose; leaves titles, bylines and boxes outside. */
function tighten(start: Element): Element {
  let root = start;
  for (;;) {
    const child = root.children.find(
      (node): node is Element => typeof node !== 'string' && isCore(node, root),
    );
    if (child === undefined) return root;
    root = child;
  }
}

function isCore(child: Element, { prose, text }: Element): boolean {
  if (child.dropped || child.prose === 0 || !containers.has(child.tag)) return false;
  if (child.prose < prose * minProseShare || child.text < text * minTextShare) return false;
  return child.tag !== 'td' || child.text >= text * minCellShare;
}
