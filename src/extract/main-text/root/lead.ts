import { measure } from '../measure.ts';
import { type Element, textOf } from '../tree.ts';

/** Names of the paragraph that stands between the title and the text of an article. */
const leadName =
  /(?:^|[\s_-])(?:lead|lede|intro|introtext|teaser|teaser-?text|subtitle|sub-?head(?:line)?|standfirst|chapo|chapeau|excerpt|perex|bajada|entradilla|dek|deck|vorspann|anrei(?:ss|ß)er|abstract|summary|ingress|manchet|occhiello|sommario|zhaiyao|daodu)(?:$|[\s_-])/i;
/** A paragraph without such a name is a lead only if it is one by its sentences. */
const sentences = /\p{L}{2}[.!?…](?:\s|["'”’»)]|$)|[。！？]/u;
const leadTags = /^(?:p|div|section|h2|h3|h4|strong|b|span|header)$/;
const minLead = 40;
const maxLead = 1200;
const maxLinked = 0.3;
/** How far above the root the lead may stand. */
const maxLevels = 5;
const article = /^(?:article|main)$/;

/** Blocks of one name are parts of an article if each has at least this share of the largest. */
const minPart = 0.1;

/**
 * The root with the lead of its article and with the other blocks of its name: the common ancestor of all of them, in which
 * everything else is dropped. The root itself where there are none.
 */
export function withLead(root: Element): Element {
  const blocks = [...leadsBefore(root), ...partsBeside(root)];
  return blocks.length === 0 ? root : join([root, ...blocks]);
}

/** The paragraphs before the root, after the title of the page where it stands in the same block. */
function leadsBefore(root: Element): Element[] {
  const leads: Element[] = [];
  let below = root;
  for (let level = 0; level < maxLevels && below.parent !== null; level++) {
    const { parent } = below;
    if (/^(?:body|html|#document|td|tr|table)$/.test(parent.tag)) break;
    const before = parent.children.slice(0, parent.children.indexOf(below));
    const title = before.findLastIndex((node) => typeof node !== 'string' && holdsTitle(node));
    for (const node of before.slice(Math.max(0, title))) if (typeof node !== 'string') findLeads(node, leads);
    if (title >= 0 || article.test(parent.tag)) break;
    below = parent;
  }
  return leads;
}

function findLeads(element: Element, leads: Element[]): void {
  if (element.dropped || element.text < minLead) return;
  if (isLead(element)) leads.push(element);
  else for (const child of element.children) if (typeof child !== 'string') findLeads(child, leads);
}

function isLead(element: Element): boolean {
  const { tag, attributes, text, linked } = element;
  if (!leadTags.test(tag) || text > maxLead || linked > text * maxLinked || holdsTitle(element)) return false;
  const isNamed = leadName.test(`${attributes.class ?? ''} ${attributes.id ?? ''}`);
  if (!isNamed && tag !== 'p') return false;
  const line = textOf(element).trim();
  return (
    (isNamed || sentences.test(line)) && !/^(?:by|von|par|por|photo|foto|bild|credit|image|©)\b/i.test(line)
  );
}

function holdsTitle(element: Element): boolean {
  if (element.tag === 'h1') return true;
  return element.children.some((child) => typeof child !== 'string' && !child.dropped && holdsTitle(child));
}

/** Blocks beside the root with its very names: an article in several pieces. */
function partsBeside(root: Element): Element[] {
  const { class: names = '' } = root.attributes;
  if (names.trim() === '' || root.parent === null || root.tag === 'td') return [];
  const parts = root.parent.children.filter(
    (node): node is Element =>
      typeof node !== 'string' &&
      node !== root &&
      !node.dropped &&
      node.tag === root.tag &&
      node.attributes.class === names,
  );
  return parts.filter(
    ({ prose, text, linked }) => prose >= root.prose * minPart && linked <= text * maxLinked,
  );
}

/** The common ancestor of blocks; all that is neither one of them nor around one is dropped. */
function join(blocks: readonly Element[]): Element {
  const kept = new Set(blocks);
  const around = new Map<Element, number>();
  for (const block of blocks)
    for (let at = block.parent; at !== null; at = at.parent) around.set(at, (around.get(at) ?? 0) + 1);
  const root = [...around].find(([, count]) => count === blocks.length)?.[0] as Element;
  (function visit(element: Element): void {
    for (const child of element.children) {
      if (typeof child === 'string' || kept.has(child)) continue;
      if (around.has(child)) visit(child);
      else child.dropped = true;
    }
  })(root);
  measure(root);
  return root;
}
