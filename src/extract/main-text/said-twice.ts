import { foldForComparison } from '../../text/line/fold-for-comparison.ts';
import { dropMeasured } from './measure.ts';
import { type Element, textOf } from './tree.ts';

/** Shorter lines repeat by nature: labels, headings, a refrain. Words, and the weight of a text without spaces. */
const minWords = 10;
const minWeight = 50;
/** A block with less new weight and fewer new lines is a copy: items that share their conditions have names of their own. */
const maxNewShare = 0.15;
const lines = new Set(
  'p li dd dt h1 h2 h3 h4 h5 h6 a div blockquote figcaption span center font section article'.split(' '),
);
const blocks = new Set(
  `p li ul ol dl dd dt div blockquote figcaption figure section article table tbody tr td th pre h1 h2 h3 h4 h5 h6 br hr header
  footer main details summary center`.split(/\s+/),
);
const kept = new Set(['pre', 'table', 'code', 'textarea']);

/** What of a block was said before. */
interface Repetition {
  readonly weight: number;
  readonly lineCount: number;
  readonly newLines: number;
}

/**
 * Drops blocks that say what the page said already: copies for other screens. On forums also single lines: quotations of
 * other posts. Elsewhere a single line may repeat for each item of a list. Code and tables repeat lines for a reason.
 */
export function dropSaidTwice(root: Element, { isForum }: { readonly isForum: boolean }): void {
  const said = new Set<string>();
  const repeated: Element[] = [];
  const blockHolders = findBlockHolders(root);
  const isLine = (element: Element) => lines.has(element.tag) && !blockHolders.has(element);

  function visit(element: Element): Repetition {
    if (isLine(element)) return ofLine(element);
    let [weight, lineCount, newLines] = [0, 0, 0];
    for (const child of element.children) {
      if (typeof child === 'string' || child.dropped || child.text === 0 || kept.has(child.tag)) continue;
      const inChild = visit(child);
      const isCopy =
        !isLine(child) &&
        child.text >= minWeight &&
        inChild.weight > child.text * (1 - maxNewShare) &&
        inChild.newLines <= inChild.lineCount * maxNewShare;
      if (isCopy) repeated.push(child);
      weight += isCopy ? child.text : inChild.weight;
      lineCount += inChild.lineCount;
      newLines += inChild.newLines;
    }
    return { weight, lineCount, newLines };
  }
  function ofLine(line: Element): Repetition {
    const folded = foldForComparison(textOf(line));
    if (!said.has(folded)) {
      said.add(folded);
      return { weight: 0, lineCount: 1, newLines: 1 };
    }
    const isLong = line.text >= minWeight && hasManyWords(folded);
    if (isLong && isForum) repeated.push(line);
    return { weight: line.text, lineCount: 1, newLines: 0 };
  }
  visit(root);
  dropMeasured(repeated);
}

const hasManyWords = (folded: string): boolean =>
  unspaced.test(folded) || folded.split(' ', minWords).length === minWords;
const unspaced = /\p{Script=Han}|\p{Script=Thai}|[\u3040-\u30ff]/u;

/** The elements with blocks in them; all others are one line at most. */
function findBlockHolders(root: Element): ReadonlySet<Element> {
  const holders = new Set<Element>();
  (function visit(element: Element): boolean {
    let holdsBlock = false;
    for (const child of element.children) {
      if (typeof child === 'string' || child.dropped) continue;
      const inChild = visit(child);
      if (inChild || blocks.has(child.tag)) holdsBlock = true;
    }
    if (holdsBlock) holders.add(element);
    return holdsBlock;
  })(root);
  return holders;
}
