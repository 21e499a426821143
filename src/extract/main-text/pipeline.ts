import type { BlockNames } from './block-names.ts';
import type { Element, HtmlTree } from './tree.ts';

/** A page during the extraction of its main text. Steps mark elements as dropped and move the root; the tree stays complete. */
export interface Draft {
  readonly tree: HtmlTree;
  readonly names: BlockNames;
  readonly isForum: boolean;
  root: Element;
  /** No element is marked as the content, so the root may contain the site's menus. */
  isWholePage: boolean;
}

export interface ExtractionStep {
  readonly name: string;
  /** Why the step drops these elements, and why it comes at this point. */
  readonly why: string;
  run(draft: Draft): void;
}
