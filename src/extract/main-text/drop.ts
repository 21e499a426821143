import { dropMeasured } from './measure.ts';
import type { Element } from './tree.ts';

/** A block with a larger share of the text or of the prose is the content, whatever its name. */
const maxDroppedShare = 0.5;
/** Less prose may be a cookie banner on a page with hardly any text. */
const minProse = 600;

/** Drops the topmost elements that satisfy the test; returns whether there were any. */
export function drop(root: Element, test: (element: Element) => boolean): boolean {
  let hasDropped = false;
  for (const child of root.children) {
    if (typeof child === 'string' || child.dropped) continue;
    child.dropped = test(child);
    if (child.dropped) hasDropped = true;
    else if (drop(child, test)) hasDropped = true;
  }
  return hasDropped;
}

/** The same for measured elements, except for those with most of the text or of the prose. */
export function dropUnlessLarge(root: Element, test: (element: Element) => boolean): void {
  const maxText = root.text * maxDroppedShare;
  const maxProse = Math.max(minProse, root.prose * maxDroppedShare);
  const found: Element[] = [];
  (function visit(element: Element): void {
    for (const child of element.children) {
      if (typeof child === 'string' || child.dropped || child.text === 0) continue;
      if (child.text <= maxText && child.prose <= maxProse && test(child)) found.push(child);
      else visit(child);
    }
  })(root);
  dropMeasured(found);
}
