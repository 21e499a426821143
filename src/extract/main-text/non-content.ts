import { isInBackgroundColor } from './same-color.ts';
import { type Element, isHeading, textOf } from './tree.ts';

const nonContentTags = new Set(
  `script style template svg math-annotation annotation iframe frame object embed applet canvas video audio picture map
  select button input textarea option datalist progress meter head title link meta base dialog`.split(/\s+/),
);
const apparatusTags = new Set(['nav', 'figcaption', 'footer', 'aside', 'menu']);
const apparatusRoles = new Set(
  'navigation banner contentinfo complementary search menu menubar toolbar tablist dialog alert alertdialog tooltip'.split(
    ' ',
  ),
);
const hiddenStyle =
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?:\.0*)?(?:px|em|rem|pt|%)?\s*(?:!important\s*)?(?:;|$)|text-indent\s*:\s*-\d{3,})/i;
const zeroWidth = /(?:^|;)\s*(?:max-)?width\s*:\s*0(?:px)?\s*(?:!important\s*)?(?:;|$)/i;
const zeroHeight = /(?:^|;)\s*(?:max-)?height\s*:\s*0(?:px)?\s*(?:!important\s*)?(?:;|$)/i;
const offScreen = /(?:^|;)\s*(?:left|top)\s*:\s*-\d{4,}px/i;
const screenReaderOnly =
  /(?:^|\s)(?:sr-only|screen-reader-text|visually-?hidden|visuallyhidden|assistive-text)(?:\s|$)/i;

/** Whether the content of a tag is not text for readers: code, media, controls. A heading may be the button that opens its answer. */
export function isNonContent({ tag, parent }: Element): boolean {
  return (
    nonContentTags.has(tag) &&
    !(
      tag === 'button' &&
      parent !== null &&
      (isHeading(parent) || parent.tag === 'summary' || parent.tag === 'dt')
    )
  );
}

/** Whether the markup itself hides an element in a browser; style sheets are not read. */
export function isHidden(element: Element): boolean {
  if (element.tag === 'noscript') return true;
  return saysHidden(element) && !isFolded(element.attributes);
}

function saysHidden(element: Element): boolean {
  const { tag, attributes } = element;
  const { style } = attributes;
  if (attributes.hidden !== undefined && attributes.hidden !== 'until-found') return true;
  if (attributes['aria-hidden'] === 'true') return true;
  if (attributes.class !== undefined && screenReaderOnly.test(attributes.class)) return true;
  if ((style !== undefined || tag === 'font') && isInBackgroundColor(element)) return true;
  if (style === undefined) return false;
  return (
    hiddenStyle.test(style) || (zeroWidth.test(style) && zeroHeight.test(style)) || offScreen.test(style)
  );
}

/** A tab or an accordion panel that opens at a click: readers can see it. */
function isFolded({ role, class: classes = '' }: Element['attributes']): boolean {
  return role === 'tabpanel' || foldedClass.test(classes);
}

const foldedClass =
  /(?:^|[\s_-])(?:tab-?pane|tab-?panel|tab-?content|accordion|accordion-(?:panel|content|body|collapse)|toggle-?_*content|collapse|panel-collapse)(?:$|[\s_-])/i;

/** A list of tabs holds names; with more prose, the panels are in it. */
const minPanelProse = 100;

const noteName = /footnote|admonition|callout|note|warning|caution|tip|example/i;

/** Whether an aside is a note on the text, as in documentation, and not a column of the page. */
function isNote({ tag, attributes }: Element): boolean {
  if (tag !== 'aside') return false;
  return (
    /^(?:note|doc-\w+)$/.test(attributes.role ?? '') ||
    noteName.test(attributes.class ?? '') ||
    /^(?:note|warning|tip|caution|danger|info)$/i.test(attributes['aria-label'] ?? '')
  );
}

/** A longer figure without a caption of its own is more than a picture. */
const maxFigure = 250;
const pictures = /^(?:img|picture|video|svg|amp-img|iframe)$/;
const contentOfFigure = /^(?:pre|code|table|blockquote|ul|ol|h[1-6]|a|math)$/;

/** Whether a figure is a picture with a few words under it that no `figcaption` holds. */
function isPicture(element: Element): boolean {
  if (element.tag !== 'figure' || element.text > maxFigure) return false;
  const held = (pattern: RegExp, { children }: Element): boolean =>
    children.some((child) => typeof child !== 'string' && (pattern.test(child.tag) || held(pattern, child)));
  return held(pictures, element) && !held(contentOfFigure, element);
}

/** Whether HTML itself marks an element as not the content. */
export function isApparatus(element: Element): boolean {
  if (isNote(element)) return false;
  if (element.attributes.role === 'tablist' && element.prose > minPanelProse) return false;
  if (isPicture(element)) return true;
  return apparatusTags.has(element.tag) || apparatusRoles.has(element.attributes.role?.toLowerCase() ?? '');
}

const permalinkClass =
  /(?:^|\s)(?:headerlink|permalink|anchorjs-link|hash-link|header-anchor|heading-anchor|anchor-link|headinglink)(?:\s|$)/i;
const permalinkText = new Set(['', '¶', '#', '§', '🔗', '∞', '⚓', 'link']);

/** Whether an element is the sign at a heading that links to the heading itself. */
export function isPermalink(element: Element): boolean {
  if (element.tag !== 'a' || !(element.attributes.href ?? '').includes('#')) return false;
  if (permalinkClass.test(element.attributes.class ?? '')) return !holdsHeading(element);
  if (element.children.length !== 1) return false;
  const only = element.children[0];
  return typeof only === 'string' && permalinkText.has(only.trim());
}

/** Whether a link has all the words of its heading, as on MDN: then it is no sign beside them. */
function holdsHeading(link: Element): boolean {
  const { parent } = link;
  if (parent === null || !isHeading(parent) || !/\p{L}/u.test(textOf(link))) return false;
  return parent.children.every(
    (child) => child === link || (typeof child === 'string' ? child : textOf(child)).trim() === '',
  );
}
