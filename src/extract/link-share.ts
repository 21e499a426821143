import type { Element } from './main-text/tree.ts';

/** Shares are kept in hundredths: more would say no more. */
const steps = 100;

/**
 * How much of the text that a page shows stands in links to other pages, 0 to 1. Links to places of the page itself do
 * not count: a long page begins with a list of what is in it.
 */
export function linkShare(root: Element, url: string): number {
  if (root.text === 0) return 0;
  const ownName = new URL(url).pathname.split('/').at(-1) ?? '';
  let linked = 0;
  (function visit(element: Element): void {
    if (element.tag === 'a' && leadsElsewhere(element.attributes.href, ownName)) {
      linked += element.text;
      return;
    }
    for (const child of element.children) if (typeof child !== 'string' && !child.dropped) visit(child);
  })(root);
  return Math.round((steps * linked) / root.text) / steps;
}

function leadsElsewhere(href: string | undefined, ownName: string): boolean {
  if (href === undefined) return false;
  const [path = ''] = href.split('#', 1);
  return path !== '' && path !== ownName;
}
