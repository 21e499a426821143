import { drop } from './drop.ts';
import { isHidden, isNonContent, isPermalink } from './non-content.ts';
import { type Rendered, render } from './render.ts';
import { type HtmlTree, parseHtml } from './tree.ts';

/** The text of HTML that is all content: nothing is left out but what no reader sees. */
export function renderFragment(html: string): Rendered & { readonly tree: HtmlTree } {
  const tree = parseHtml(html);
  drop(tree.root, (element) => isNonContent(element) || isPermalink(element) || isHidden(element));
  return { ...render(tree.root), tree };
}
