import type { Element } from './tree.ts';

/** A text node lighter than this is a label, not a sentence. */
const sentenceWeight = 20;

/** Visible characters; one of Chinese, Japanese or Korean says about as much as three Latin letters. */
export function weigh(text: string): number {
  let weight = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= 0x20 || code === 0xa0) continue;
    weight += code >= 0x2e80 && code < 0xfb00 ? 3 : 1;
  }
  return weight;
}

/** Sets `text`, `linked` and `prose` of an element and of all below it, from what is not dropped. One visit a node. */
export function measure(element: Element, inLink = false, inCode = false): void {
  const linkHere = inLink || (element.tag === 'a' && element.attributes.href !== undefined);
  const codeHere = inCode || element.tag === 'pre';
  element.text = 0;
  element.linked = 0;
  element.prose = 0;
  for (const child of element.children) {
    if (typeof child === 'string') {
      const weight = weigh(child);
      element.text += weight;
      if (linkHere) element.linked += weight;
      else if (weight >= sentenceWeight || codeHere) element.prose += weight;
    } else if (!child.dropped) {
      measure(child, linkHere, codeHere);
      element.text += child.text;
      element.linked += child.linked;
      element.prose += child.prose;
    }
  }
}
