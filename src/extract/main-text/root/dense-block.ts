import type { Element } from '../tree.ts';

/** What ends or divides sentences; a label or a headline has none of it. */
const sentence = /[.!?;:,](?:\s|["'”’)]|$)|[。！？；，：、]/;
/** Shorter text nodes are labels, whatever they end in; in visible characters, one of Chinese counting as three. */
const minSentence = 25;
const blocks = /^(?:div|section|article|main|center|form|table|tbody|tr|td|body|html|#document)$/;

/** Minimum share of a page's sentences in the block, and of sentences in the block's own text. */
const minShare = 0.75;
const minDensity = 0.5;
const maxLinkDensity = 0.3;
/** Around the block sentences are few: otherwise the page consists of several parts, and all of them are its content. */
const maxDensityAround = 0.25;

/**
 * The smallest block with nearly all sentences of a page without names: by text and link density, and by paragraphs with
 * their punctuation. The root itself where the sentences are spread over the page.
 */
export function denseBlock(root: Element): Element {
  const sentences = new Map<Element, number>();
  const total = weighSentences(root, sentences);
  let best = root;
  let element = root;
  for (;;) {
    const child = element.children.find(
      (node): node is Element =>
        typeof node !== 'string' && (sentences.get(node) ?? 0) >= total * minShare && blocks.test(node.tag),
    );
    if (child === undefined) return best;
    element = child;
    const own = sentences.get(child) ?? 0;
    const around = root.text - child.text;
    if (
      own >= child.text * minDensity &&
      child.linked <= child.text * maxLinkDensity &&
      total - own <= around * maxDensityAround
    )
      best = child;
  }
}

/** The weight of the sentences below each element, without links and without what was dropped. */
function weighSentences(element: Element, sentences: Map<Element, number>): number {
  let weight = 0;
  for (const child of element.children) {
    if (typeof child === 'string') {
      if (child.length * 3 >= minSentence && sentence.test(child)) {
        const own = visible(child);
        if (own >= minSentence) weight += own;
      }
    } else if (!child.dropped && child.text > 0 && child.tag !== 'a')
      weight += weighSentences(child, sentences);
  }
  sentences.set(element, weight);
  return weight;
}

function visible(text: string): number {
  const letters = text.replace(/\s+/g, '');
  return letters.length + 2 * (letters.match(/[\u2e80-\ufaff]/g)?.length ?? 0);
}
