import { isHidden, isNonContent } from '../main-text/non-content.ts';
import { type Element, type HtmlTree, hasAncestor, textOf } from '../main-text/tree.ts';

/** A page that shows this much has a text of its own, whatever its scripts add. */
const minVisibleText = 200;
/** Below it, and without a link, a page with scripts says nothing. */
const maxSilentText = 40;

/** Where applications put what they draw. */
const mountName =
  /^(?:root|app|__next|__nuxt|__layout|svelte|sapper|gatsby|___gatsby|main-app|app-root|application|q-app|react-root|react-app|vue-app|mount|container-app)$/i;
const mountTag = /^(?:app-root|[a-z][a-z0-9]*-app|app-[a-z0-9-]+)$/;
const asksForScripts =
  /java\s?script|enable (?:js|scripts?)|scripts? (?:is|are) (?:disabled|blocked)|スクリプト|脚本|스크립트|скрипт/i;
const scriptType = /^(?:|module|(?:text|application)\/(?:x-)?(?:java|ecma)script|text\/babel)$/i;

/**
 * Whether scripts draw the page: it has scripts and shows hardly any text, and it has an empty element to draw into, or asks
 * for JavaScript, or shows nothing at all. A frameset shows its frames. `main` holds the main text: hidden text that was
 * chosen for it is a text, a `noscript` is not.
 */
export function isDrawnByScripts({ root, byTag }: HtmlTree, main: Element): boolean {
  const scripts = byTag.get('script') ?? [];
  if (!scripts.some(isScript) || byTag.has('frame')) return false;
  const seen = look(root);
  if (seen.text >= minVisibleText || chosenText(main) >= minVisibleText) return false;
  return (
    seen.hasEmptyMount ||
    seen.noscripts.some((noscript) => asksForScripts.test(textOf(noscript))) ||
    (seen.text < maxSilentText && !seen.hasLink)
  );
}

/** Whether a main text stands in a `noscript`: such pages are whole for readers without scripts. */
export function isInNoscript(main: Element): boolean {
  return chosenText(main) < minVisibleText && weigh(textOf(main)) >= minVisibleText;
}

/** The weight of the main text that stands in no `noscript`. */
function chosenText(main: Element): number {
  if (hasAncestor(main, ({ tag }) => tag === 'noscript')) return 0;
  return main.children.reduce((sum, child) => {
    if (typeof child === 'string') return sum + weigh(child);
    return child.dropped || child.tag === 'noscript' ? sum : sum + chosenText(child);
  }, 0);
}

interface Seen {
  text: number;
  hasLink: boolean;
  hasEmptyMount: boolean;
  readonly noscripts: Element[];
}

/** What a page without scripts shows; stops at enough text. */
function look(root: Element): Seen {
  const seen: Seen = { text: 0, hasLink: false, hasEmptyMount: false, noscripts: [] };
  (function visit(element: Element): void {
    for (const child of element.children) {
      if (seen.text >= minVisibleText) return;
      if (typeof child === 'string') seen.text += weigh(child);
      else if (child.tag === 'noscript') seen.noscripts.push(child);
      else if (!isNonContent(child) && !isHidden(child)) {
        const before = seen.text;
        visit(child);
        if (isMount(child) && seen.text === before) seen.hasEmptyMount = true;
        if (child.tag === 'a' && child.attributes.href !== undefined) seen.hasLink = true;
      }
    }
  })(root);
  return seen;
}

/** Characters, white space collapsed; one of Chinese, Japanese or Korean says about as much as three Latin letters. */
function weigh(text: string): number {
  const visible = text.replace(/\s+/g, ' ').trim();
  return visible.length + 2 * (visible.match(/[\u2e80-\ufaff]/g)?.length ?? 0);
}

function isMount({ tag, attributes: { id, ...attributes } }: Element): boolean {
  return (
    mountTag.test(tag) ||
    (id !== undefined && mountName.test(id.trim())) ||
    attributes['data-reactroot'] !== undefined ||
    attributes['ng-app'] !== undefined ||
    attributes['ng-version'] !== undefined
  );
}

function isScript({ attributes: { type = '' } }: Element): boolean {
  return scriptType.test(type.trim());
}
