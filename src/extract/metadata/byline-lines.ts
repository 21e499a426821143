import { oneLine } from '../../text/line/one-line.ts';
import type { Element } from '../main-text/tree.ts';
import { shortText } from './visible-dates.ts';

/** Elements whose text is not read. */
export const unreadTags: ReadonlySet<string> = new Set(
  'script style noscript select svg head template textarea option'.split(' '),
);
const blocks = new Set(
  'div p li ul ol h1 h2 h3 h4 h5 h6 br td tr section header footer dd dt article address figure'.split(' '),
);
const maxBylineText = 400;
const maxBylineNodes = 100;

/** The first link of an element that shows a text. */
export function firstLink(element: Element): Element | undefined {
  let link: Element | undefined;
  let looked = 0;
  (function visit(current: Element): void {
    for (const child of current.children) {
      if (typeof child === 'string' || link !== undefined || ++looked > maxBylineNodes) continue;
      if (child.tag === 'a' && shortText(child) !== '') link = child;
      else visit(child);
    }
  })(element);
  return link;
}

/** Addresses of pages that list articles about a topic. */
const aboutTopic = /\/(?:topics?|tags?|categor[^/]*|kategori[^/]*|rubrik[^/]*|sections?)\//i;

/** Stands where a link ends. A name ends there too, unless more names follow. */
const linkEnd = '\uE000';
const betweenLinks = /\uE000(?=\s*(?:[,;、，&]|(?:and|und|et|y|e|og|och|en|и|with|mit)\s|\uE000|$))/giu;

/** The lines at the beginning of an element. Two links with nothing between them are two names. */
export function bylineLines(element: Element): string[] {
  let text = '';
  let looked = 0;
  let afterLink = -1;
  function read(parent: Element): void {
    for (const child of parent.children) {
      if (text.length > maxBylineText || ++looked > maxBylineNodes) return;
      if (typeof child === 'string') text += child.replace(/\s+/g, ' ').replaceAll(linkEnd, '');
      else if (!unreadTags.has(child.tag) && !aboutTopic.test(child.attributes.href ?? '')) enter(child);
    }
  }
  function enter(child: Element): void {
    const isLink = child.tag === 'a';
    const gap = blocks.has(child.tag) ? '\n' : '';
    text += isLink && text.length === afterLink ? ', ' : gap;
    const before = text.length;
    read(child);
    text += (isLink || child.tag === 'time') && text.length > before ? linkEnd : gap;
    if (isLink) afterLink = text.length;
  }
  read(element);
  const lines = text
    .replace(betweenLinks, ' ')
    .replaceAll(linkEnd, ' | ')
    .split('\n')
    .map(oneLine)
    .filter((line) => line !== '');
  return lines;
}

/** Whether a text of an element begins a line: nothing stands before it in its block, or a block or `br`. */
export function beginsLine(text: string, element: Element): boolean {
  let child: string | Element = text;
  for (let parent: Element | null = element; parent !== null; parent = parent.parent) {
    const before = parent.children
      .slice(0, parent.children.indexOf(child))
      .findLast((each) => typeof each !== 'string' || each.trim() !== '');
    if (before !== undefined) return typeof before !== 'string' && blocks.has(before.tag);
    if (blocks.has(parent.tag)) return true;
    child = parent;
  }
  return true;
}

/** Whether a text is white space; most texts between elements are, and most others begin with a letter. */
export function isBlank(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x20 && code < 0x7f) return false;
    if (code !== 0x20 && code !== 0x0a && code !== 0x09) return !/\S/.test(text);
  }
  return true;
}
