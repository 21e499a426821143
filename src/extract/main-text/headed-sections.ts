import { measure } from './measure.ts';
import { type Element, textOf } from './tree.ts';

/** Headings of boxes with links to other pages or requests to the reader; whole headings, so that "Related work" stays. */
const phrases = [
  'related(?: (?:articles?|posts?|content|stories|news|products?|items|topics|links|reading|pages|videos))?',
  'you (?:may|might) also (?:like|enjoy|be interested in)',
  'recommended(?: (?:for you|articles?|posts?|products?|reading|stories|content|videos))?',
  'recently viewed(?: items| products)?|frequently bought together|customers also (?:bought|viewed)|customer reviews',
  'more (?:from|like) .{1,40}|more stories|read (?:more|next)|also read|up next|what others are reading',
  'popular (?:posts|articles|now)|most (?:read|popular|viewed)|trending(?: now)?|latest (?:news|posts|articles|stories)',
  'share(?: this(?: \\p{L}+)?)?|follow us|about the (?:authors?|writers?|editors?|reviewers?)|leave a (?:comment|reply)|get in touch|newsletter',
  'subscribe(?: now| (?:to|for) (?:our|the) .{1,30})?|(?:sign up|join) .{1,40}newsletter',
  'auch interessant|das könnte (?:sie|dich|euch) auch interessieren|mehr zum thema|ähnliche (?:artikel|beiträge)',
  'weitere (?:artikel|beiträge|themen|meldungen)|artículos relacionados|te puede interesar',
  'articles? (?:similaires|liés)|sur le même (?:thème|sujet)',
  '相关(?:阅读|文章|推荐|新闻)|推荐阅读|热门文章|関連記事',
];
const sectionHeading = new RegExp(`^(?:${phrases.join('|')})\\s*[:：…]?$`, 'iu');
const boxes = new Set('div section ul ol dl table p nav aside'.split(' '));
const maxHeadingWeight = 60;
const maxHeadedShare = 0.5;

/**
 * Drops the sections of such headings: the largest block that begins with the heading, or everything from the heading to
 * the next one of the same level.
 */
export function dropHeadedSections(root: Element): void {
  const limit = root.text * maxHeadedShare;
  (function visit(element: Element): void {
    for (const [index, child] of element.children.entries()) {
      if (typeof child === 'string' || child.dropped || child.text === 0) continue;
      if (child.text <= limit && boxes.has(child.tag) && sectionHeading.test(firstLine(child)))
        child.dropped = true;
      else if (headingTag.test(child.tag) && sectionHeading.test(shortLine(child)))
        dropSection(element, index, limit);
      else visit(child);
    }
  })(root);
  measure(root);
}

const headingTag = /^h[2-6]$/;

function dropSection(parent: Element, start: number, limit: number): void {
  const section: Element[] = [];
  let weight = 0;
  for (let next = start; next < parent.children.length; next++) {
    const node = parent.children[next];
    if (node === undefined || typeof node === 'string') continue;
    if (section[0] !== undefined && /^h[1-6]$/.test(node.tag) && node.tag <= section[0].tag) break;
    section.push(node);
    weight += node.text;
  }
  if (weight <= limit) for (const element of section) element.dropped = true;
}

function shortLine(element: Element): string {
  return element.text > maxHeadingWeight ? '' : textOf(element).trim().replace(/\s+/g, ' ');
}

/** The text of the first node of a block if it is short. */
function firstLine(block: Element): string {
  let current: Element = block;
  for (;;) {
    const first = current.children.find((child) =>
      typeof child === 'string' ? child.trim() !== '' : !child.dropped && child.text > 0,
    );
    if (first === undefined) return '';
    if (typeof first === 'string')
      return first.length > maxHeadingWeight * 2 ? '' : first.trim().replace(/\s+/g, ' ');
    if (/^h[1-6]$/.test(first.tag))
      return first.text > maxHeadingWeight ? '' : textOf(first).trim().replace(/\s+/g, ' ');
    current = first;
  }
}
