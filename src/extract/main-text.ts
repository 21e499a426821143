import { type BlockNames, createBlockNames } from './block-names.ts';
import { contentRoot } from './content-root.ts';
import { dropHeadedSections } from './headed-sections.ts';
import { measure } from './measure.ts';
import { type Rendered, render } from './render.ts';
import { type Element, type HtmlTree, hasAncestor } from './tree.ts';
import { isApparatus, isHidden, isPermalink, isUnread } from './unread.ts';

interface Draft {
  readonly tree: HtmlTree;
  readonly names: BlockNames;
  readonly isForum: boolean;
  root: Element;
}

/**
 * The steps to the main text, in this order because each is safe only on what the one before left:
 * what nobody sees goes first, since every later step weighs visible text; what HTML names before what class names
 * hint at; the root is chosen among the rest; links and comments are judged inside it.
 */
const steps: readonly ((draft: Draft) => void)[] = [
  dropUnread,
  dropApparatus,
  dropByName,
  dropComments,
  chooseRoot,
  dropLinkLists,
  ({ root }) => dropHeadedSections(root),
];

/** A block that holds more of the text than this is the content, whatever it is called. */
const maxDroppedShare = 0.5;
const minMainText = 150;

/** The main text of a page as structured plain text; the whole body when the steps leave next to nothing. */
export function mainText(tree: HtmlTree, isForum: boolean): Rendered {
  const draft: Draft = { tree, names: createBlockNames(), isForum, root: tree.root };
  for (const step of steps) step(draft);
  const main = render(draft.root);
  if (main.text.length >= minMainText) return main;
  return wholeBody(tree, main);
}

function wholeBody(tree: HtmlTree, main: Rendered): Rendered {
  drop(tree.root, () => false, true);
  const all = render(tree.root);
  return all.text.length > main.text.length ? all : main;
}

/** Less than this in a `noscript` asks for JavaScript; more may be the page as crawlers are meant to see it. */
const minNoscript = 400;

/** Drops what nobody reads or sees. A hidden block with most of the text waits for a script, so it stays. */
function dropUnread({ tree }: Draft): void {
  drop(tree.root, (element) => isUnread(element) || isPermalink(element));
  measure(tree.root);
  drop(tree.root, (element) => element.tag === 'noscript' && element.text < minNoscript);
  dropUnlessLarge(tree.root, isHidden);
}

function dropApparatus({ tree }: Draft): void {
  dropUnlessLarge(tree.root, (element) => isApparatus(element) || isPageHeader(element));
}

/** A header of the page, not of an article in it. */
function isPageHeader(element: Element): boolean {
  if (element.tag !== 'header') return false;
  return !hasAncestor(
    element,
    ({ tag, attributes }) => tag === 'article' || tag === 'main' || attributes.role === 'main',
  );
}

function dropByName({ tree, names }: Draft): void {
  dropUnlessLarge(tree.root, (element) => canBeApparatus(element) && names.isApparatus(element));
}

/** Inline elements and headings carry such names for their look. */
function canBeApparatus({ tag }: Element): boolean {
  return !/^(?:html|body|main|h[1-6]|code|pre|em|strong|b|i|abbr)$/.test(tag);
}

/** Comments are the content of a forum and of nothing else. */
function dropComments({ tree, names, isForum }: Draft): void {
  if (isForum) return;
  dropUnlessLarge(tree.root, (element) => canBeApparatus(element) && names.isComments(element));
}

function chooseRoot(draft: Draft): void {
  draft.root = contentRoot(draft.tree, { manyPosts: draft.isForum });
}

const maxLinkDensity = 0.75;
/** If more than this would go, the page is a listing and its links are what it has to say. */
const maxLinkListShare = 0.4;
const minBelowHeading = 0.1;
const linkBlocks = new Set('div section ul ol dl table p nav aside tbody tr'.split(' '));

/** Link lists above the page's heading are navigation however many there are; below it they may be what a listing lists. */
function dropLinkLists({ root }: Draft): void {
  const above: Element[] = [];
  const below: Element[] = [];
  let weightAbove = 0;
  let weightBelow = 0;
  let seenHeading = false;
  (function visit(element: Element): void {
    for (const child of element.children) {
      if (typeof child === 'string' || child.dropped || child.text === 0) continue;
      if (child.tag === 'h1' && !seenHeading) {
        seenHeading = true;
        above.push(...below.splice(0));
        weightAbove = weightBelow;
        weightBelow = 0;
      }
      if (linkBlocks.has(child.tag) && child.linked > child.text * maxLinkDensity) {
        below.push(child);
        weightBelow += child.text;
      } else visit(child);
    }
  })(root);
  const rest = root.text - weightAbove;
  if (rest > root.text * minBelowHeading) for (const list of above) list.dropped = true;
  if (weightBelow <= rest * maxLinkListShare) for (const list of below) list.dropped = true;
  measure(root);
}

function dropUnlessLarge(root: Element, test: (element: Element) => boolean): void {
  const limit = root.text * maxDroppedShare;
  drop(root, (element) => element.text <= limit && test(element));
  measure(root);
}

/** Marks the topmost elements that satisfy the test; with `restore`, takes back what was dropped for other reasons. */
function drop(root: Element, test: (element: Element) => boolean, restore = false): void {
  for (const child of root.children) {
    if (typeof child === 'string') continue;
    if (restore) child.dropped = isUnread(child) || isPermalink(child) || isHidden(child);
    else if (!child.dropped) child.dropped = test(child);
    if (!child.dropped) drop(child, test, restore);
  }
}
