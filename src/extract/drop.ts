import { measure } from './measure.ts';
import type { Element } from './tree.ts';

/** A block that holds more of the text or of the prose than this is the content, whatever it is called. */
const maxDroppedShare = 0.5;
/** Lighter prose may be a cookie banner's on a page with hardly any. */
const minProse = 600;

/** Marks the topmost elements that satisfy the test. */
export function drop(root: Element, test: (element: Element) => boolean): void {
  for (const child of root.children) {
    if (typeof child === 'string') continue;
    if (!child.dropped) child.dropped = test(child);
    if (!child.dropped) drop(child, test);
  }
}

/** The same, but for elements that hold most of the text or of the prose; measures what is left. */
export function dropUnlessLarge(root: Element, test: (element: Element) => boolean): void {
  const maxText = root.text * maxDroppedShare;
  const maxProse = Math.max(minProse, root.prose * maxDroppedShare);
  drop(root, (element) => element.text <= maxText && element.prose <= maxProse && test(element));
  measure(root);
}
