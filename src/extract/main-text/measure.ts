import { type Element, isHeading } from './tree.ts';

/** Text nodes with a lower weight are labels, not sentences. */
const sentenceWeight = 20;

/** Visible characters; one of Chinese, Japanese or Korean says about as much as three Latin letters. */
function weigh(text: string): number {
  let weight = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code <= 0x20 || code === 0xa0) continue;
    weight += code >= 0x2e80 && code < 0xfb00 ? 3 : 1;
  }
  return weight;
}

/**
 * Sets `text`, `linked` and `prose` of an element and its descendants, without dropped ones. Visits each node once; text is
 * read only in the first call.
 */
export function measure(element: Element, inLink = false, inCode = false): void {
  const linkHere = inLink || (element.tag === 'a' && isLink(element));
  const codeHere = inCode || element.tag === 'pre';
  if (element.ownText < 0) weighOwnText(element, codeHere);
  let text = element.ownText;
  let linked = linkHere ? text : 0;
  let prose = linkHere ? 0 : element.ownProse;
  for (const child of element.children) {
    if (typeof child === 'string' || child.dropped) continue;
    measure(child, linkHere, codeHere);
    text += child.text;
    linked += child.linked;
    prose += child.prose;
  }
  element.text = text;
  element.linked = linked;
  element.prose = prose;
}

/**
 * Marks elements as dropped and takes what `measure` found in them off all that is around them: cheaper than to measure
 * the rest again. Of two elements, one in the other, the inner one must come first.
 */
export function dropMeasured(elements: Iterable<Element>): void {
  for (const element of elements) {
    if (element.dropped) continue;
    element.dropped = true;
    for (let at = element.parent; at !== null; at = at.parent) {
      at.text -= element.text;
      at.linked -= element.linked;
      at.prose -= element.prose;
    }
  }
}

/** A heading often links to its entry in the table of contents. That is no link of a list. */
function isLink({ attributes: { href }, parent }: Element): boolean {
  return href !== undefined && !(href.startsWith('#') && parent !== null && isHeading(parent));
}

function weighOwnText(element: Element, inCode: boolean): void {
  element.ownText = 0;
  for (const child of element.children) {
    if (typeof child !== 'string') continue;
    const weight = weigh(child);
    element.ownText += weight;
    if (weight >= sentenceWeight || inCode) element.ownProse += weight;
  }
}
