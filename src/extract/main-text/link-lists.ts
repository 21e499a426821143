import { dropMeasured } from './measure.ts';
import { type Element, textOf } from './tree.ts';

const maxLinkDensity = 0.75;
/** If a larger share would be dropped, the page is a listing, and its links are its content. */
const maxLinkListShare = 0.4;
/** A block with this much prose is searched for lists, not dropped as a whole. */
const minProse = 60;
const minBelowHeading = 0.1;
/** Links of an entry belong to it: authors of a paper, files of a release. */
const entries = new Set('li dd'.split(' '));
const linkBlocks = new Set('div section ul ol dl table p nav aside tbody tr'.split(' '));

/** Drops link lists. Above the page's heading all of them are navigation; below it they may be the content of a listing. */
export function dropLinkLists(root: Element, { isWholePage }: { readonly isWholePage: boolean }): void {
  const above: Element[] = [];
  const below: Element[] = [];
  const menus: Element[] = [];
  let weightAbove = 0;
  let weightBelow = 0;
  let seenHeading = false;
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one walk that judges lists, rows of links and their neighbours
  (function visit(element: Element): void {
    let isIntroduced = false;
    for (const child of element.children) {
      if (typeof child === 'string') {
        if (child.trim() !== '') isIntroduced = colonAtEnd.test(child);
        continue;
      }
      if (child.dropped || child.text === 0) continue;
      const belongsToText = isIntroduced;
      isIntroduced = child.prose > 0 && endsInColon(child);
      if (belongsToText) continue;
      if (child.tag === 'h1' && !seenHeading) {
        seenHeading = true;
        above.push(...below.splice(0));
        weightAbove = weightBelow;
        weightBelow = 0;
      }
      if (linkBlocks.has(child.tag) && child.linked > child.text * maxLinkDensity && child.prose < minProse) {
        if (isWholePage && isMenu(child)) menus.push(child);
        else if (!hasPrice(element)) {
          below.push(child);
          weightBelow += child.text;
        }
      } else if (!entries.has(child.tag)) visit(child);
    }
  })(root);
  const rest = root.text - weightAbove;
  const isAboveDropped = rest > root.text * minBelowHeading;
  const isBelowDropped = weightBelow <= rest * maxLinkListShare;
  dropMeasured([...menus, ...(isAboveDropped ? above : []), ...(isBelowDropped ? below : [])]);
}

const maxCard = 200;
const price = /(?:[$€£¥₹]|USD|EUR|CHF)\s?\d|\d\s?(?:[$€£¥₹元円원]|USD|EUR|CHF|zł|kr)/;

/** Whether a block is the card of a product: the link in it is the product's name. */
const hasPrice = (block: Element) => block.text <= maxCard && price.test(textOf(block));

const minMenuLinks = 6;
/** Links of a menu have one or two words; those of a listing are names and headlines. */
const maxMenuLinkWeight = 20;

/** Whether a list has many short links and nothing else: a menu without a name for it. */
function isMenu(list: Element): boolean {
  let links = 0;
  (function visit(element: Element): void {
    for (const child of element.children) {
      if (typeof child === 'string' || child.dropped) continue;
      if (child.tag === 'a' && child.text > 0) links++;
      else visit(child);
    }
  })(list);
  return links >= minMenuLinks && list.linked <= links * maxMenuLinkWeight;
}

const colonAtEnd = /[:：]\s{0,20}$/;

/** Whether an element introduces a list that is part of the text: `Many patches were sent for review:`. */
function endsInColon(element: Element): boolean {
  let current: Element = element;
  for (;;) {
    const last = current.children.findLast((child) =>
      typeof child === 'string' ? child.trim() !== '' : !child.dropped && child.text > 0,
    );
    if (last === undefined) return false;
    if (typeof last === 'string') return colonAtEnd.test(last);
    current = last;
  }
}
