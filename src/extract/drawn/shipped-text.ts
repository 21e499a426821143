import type { Mark } from '../../text/structure/marks.ts';
import { absoluteUrl } from '../links.ts';
import { renderFragment } from '../main-text/render-fragment.ts';
import type { Element, HtmlTree } from '../main-text/tree.ts';
import type { LinkedData } from '../metadata/json-ld.ts';
import { stateHtml } from './state-html.ts';
import { statesOf, unpackIsland } from './state-values.ts';

/** The text that a page which scripts draw carries beside them. */
export interface ShippedText {
  /** For `extract --explain`. */
  readonly source: string;
  readonly text: string;
  readonly headings: readonly string[];
  readonly marks: readonly Mark[];
  /** Absolute URLs in it. */
  readonly links: readonly string[];
}

/** Less is a label. */
const minShipped = 150;

/** The first of these that holds a text: `articleBody` in JSON-LD, then the state of the page's framework. */
export function shippedText(
  html: string,
  tree: HtmlTree,
  { linked, base }: { readonly linked: LinkedData; readonly base: string },
): ShippedText | undefined {
  const article = linked.articleBody ?? '';
  if (article.length >= minShipped)
    return { source: 'JSON-LD articleBody', text: article, headings: [], marks: [], links: [] };
  for (const { name, value } of [...statesOf(html), ...islandsOf(tree)]) {
    const { html: said, targets } = stateHtml(value);
    const shipped =
      said === '' ? undefined : fromHtml(`the state in the page (${name})`, said, base, targets);
    if (shipped !== undefined) return shipped;
  }
  return undefined;
}

function fromHtml(
  source: string,
  html: string,
  base: string,
  targets: readonly string[],
): ShippedText | undefined {
  const { text, headings, marks, tree } = renderFragment(html);
  if (text.length < minShipped) return undefined;
  const references = [...(tree.byTag.get('a') ?? []).map(({ attributes }) => attributes.href), ...targets];
  const links = references.flatMap((reference) => absoluteUrl(reference, base) ?? []);
  return { source, text, headings, marks, links: [...new Set(links)] };
}

function islandsOf(tree: HtmlTree) {
  const islands: Element[] = [];
  (function visit({ children }: Element): void {
    for (const child of children) {
      if (typeof child === 'string') continue;
      if (child.tag === 'astro-island') islands.push(child);
      visit(child);
    }
  })(tree.root);
  return islands.flatMap(({ attributes }) => {
    try {
      return [{ name: 'astro-island', value: unpackIsland(JSON.parse(attributes.props ?? '')) }];
    } catch {
      return [];
    }
  });
}
