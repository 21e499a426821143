import type { BlockNames } from './block-names.ts';
import type { Element, HtmlTree } from './tree.ts';

/** A page on its way to its main text. Steps mark elements as dropped and move the root; the tree stays whole. */
export interface Draft {
  readonly tree: HtmlTree;
  readonly names: BlockNames;
  readonly isForum: boolean;
  root: Element;
  /** No element named itself the content, so the root may hold the site's menus too. */
  isWholePage: boolean;
}

export interface Step {
  readonly name: string;
  /** Why it drops what it drops, and why it has its place. */
  readonly why: string;
  run(draft: Draft): void;
}
