import { createBlockNames } from './block-names.ts';
import { drop, dropUnlessLarge } from './drop.ts';
import { describe, type Trail } from './explain.ts';
import { dropHeadedSections } from './headed-sections.ts';
import { dropLabels } from './labels.ts';
import { dropLinkLists } from './link-lists.ts';
import { dropMeasured, measure } from './measure.ts';
import { isApparatus, isHidden, isNonContent, isPermalink } from './non-content.ts';
import type { Draft, ExtractionStep } from './pipeline.ts';
import { type Rendered, render } from './render.ts';
import { contentRoot } from './root/content-root.ts';
import { withLead } from './root/lead.ts';
import { dropSaidTwice } from './said-twice.ts';
import { type Element, type HtmlTree, hasAncestor } from './tree.ts';

/** The steps to the main text, in order: each is safe only on what the one before left. */
const steps: readonly ExtractionStep[] = [
  {
    name: 'drop-unread',
    why: 'code, media, controls and hidden text are no text; first, since every later step weighs visible text',
    run: dropNonContent,
  },
  {
    name: 'drop-apparatus',
    why: 'HTML itself calls it navigation, footer, aside or header; surer than names, so before them',
    run: dropApparatus,
  },
  {
    name: 'drop-by-name',
    why: 'its class or id is what sites call menus, shares, banners; before the root, whose shares it would distort',
    run: dropByName,
  },
  {
    name: 'drop-comments',
    why: 'comments are content on forums alone; before the root, which they can outweigh',
    run: dropComments,
  },
  {
    name: 'choose-root',
    why: 'the most explicit content element that holds enough of what is left; the rest of the page is around it',
    run: chooseRoot,
  },
  {
    name: 'drop-link-lists',
    why: 'lists of links lead elsewhere, unless they are most of the root; inside it, since a listing is judged by its own links',
    run: ({ root, isWholePage }) => dropLinkLists(root, { isWholePage }),
  },
  {
    name: 'drop-labels',
    why: 'controls, notices and source lines tell nothing without their page; after the link lists, which are larger',
    run: ({ root }) => dropLabels(root),
  },
  {
    name: 'drop-said-twice',
    why: 'copies for other screens and quoted posts say again what stands above; inside the root, where the first copy stays',
    run: ({ root, isForum }) => dropSaidTwice(root, { isForum }),
  },
  {
    name: 'drop-headed-sections',
    why: 'its heading says that it leads elsewhere; last, when the section ends where its neighbours are gone',
    run: ({ root, isForum }) => dropHeadedSections(root, { isForum }),
  },
];

const minMainText = 150;

export interface MainText extends Rendered {
  /** The element that it is the text of, measured; what is not in it is marked as dropped. */
  readonly root: Element;
}

/** The main text of a page as structured plain text; the whole body when the steps leave next to nothing. */
export function mainText(tree: HtmlTree, isForum: boolean, trail?: Trail): MainText {
  const draft: Draft = { tree, names: createBlockNames(), isForum, root: tree.root, isWholePage: true };
  for (const step of steps) {
    step.run(draft);
    trail?.afterStep(step, draft.root);
  }
  trail?.choose('body', `text of ${describe(draft.root)}`);
  const main = { ...render(draft.root), root: draft.root };
  if (main.text.length >= minMainText) return main;
  return fallback(tree, main, trail);
}

/** For pages that are hardly more than their apparatus: all but what HTML itself names so, and else all that can be seen. */
function fallback(tree: HtmlTree, main: MainText, trail: Trail | undefined): MainText {
  const seen = (element: Element) => isNonContent(element) || isPermalink(element) || isHidden(element);
  const body = redraw(tree.root, (element) => seen(element) || isApparatus(element) || isPageHeader(element));
  if (body.text.length >= minMainText) {
    trail?.choose('body', `the page without its apparatus: the steps left ${main.text.length} characters`);
    return body;
  }
  const all = redraw(tree.root, seen);
  if (all.text.length <= main.text.length) return main;
  trail?.choose('body', `the whole page: the steps left ${main.text.length} characters`);
  return all;
}

/** Forgets all that was dropped, drops by one test, and renders. */
function redraw(root: Element, test: (element: Element) => boolean): MainText {
  (function visit(element: Element): void {
    for (const child of element.children) {
      if (typeof child === 'string') continue;
      child.dropped = test(child);
      if (!child.dropped) visit(child);
    }
  })(root);
  measure(root);
  return { ...render(root), root };
}

/** A shorter `noscript` asks for JavaScript; a longer one may be the page for crawlers. */
const minNoscript = 400;

/** Keeps a hidden block with most of the text: a script would show it. */
function dropNonContent({ tree }: Draft): void {
  drop(tree.root, (element) => isNonContent(element) || isPermalink(element));
  measure(tree.root);
  for (const noscript of tree.byTag.get('noscript') ?? [])
    if (noscript.text < minNoscript && !hasAncestor(noscript, ({ dropped }) => dropped))
      dropMeasured([noscript]);
  dropUnlessLarge(tree.root, isHidden);
}

function dropApparatus({ tree }: Draft): void {
  dropUnlessLarge(tree.root, (element) => isApparatus(element) || isPageHeader(element));
}

/** Whether an element is the header of the page, not of an article in it. */
function isPageHeader(element: Element): boolean {
  if (element.tag !== 'header') return false;
  return !hasAncestor(
    element,
    ({ tag, attributes }) => tag === 'article' || tag === 'main' || attributes.role === 'main',
  );
}

function dropByName({ tree, names, isForum }: Draft): void {
  dropUnlessLarge(
    tree.root,
    (element) =>
      (canBeApparatus(element) && (names.isApparatus(element) || (isForum && names.isPoster(element)))) ||
      (isForum && isQuotedPost(element)),
  );
}

/** A quotation of another post of the thread, as marked by XenForo and Discourse. */
function isQuotedPost({ attributes }: Element): boolean {
  return (
    attributes['data-quote'] !== undefined ||
    (attributes['data-username'] !== undefined && attributes['data-post'] !== undefined)
  );
}

const styledTags = new Set('html body main h1 h2 h3 h4 h5 h6 code pre em strong b i abbr'.split(' '));

/** Inline elements and headings have such names for their style only. */
function canBeApparatus({ tag }: Element): boolean {
  return !styledTags.has(tag);
}

function dropComments({ tree, names, isForum }: Draft): void {
  if (isForum) return;
  dropUnlessLarge(tree.root, (element) => canBeApparatus(element) && names.isComments(element));
}

function chooseRoot(draft: Draft): void {
  Object.assign(draft, contentRoot(draft.tree, { manyPosts: draft.isForum }));
  if (!draft.isForum) draft.root = withLead(draft.root);
}
