import { markdownToHtml } from '../markdown/markdown-html.ts';

export interface StateText {
  /** Paragraphs, headings, and what was HTML already. */
  readonly html: string;
  /** Targets of Markdown links, which the HTML leaves out. */
  readonly targets: readonly string[];
}

const maxValues = 50_000;
const maxNesting = 60;
const maxLength = 2_000_000;
const minProse = 40;
const minSpaces = 4;
/** Enough for a sentence in a script without spaces. */
const minCjk = 15;

/** Settings, labels of the interface and addresses: never what a page says. */
const notContent =
  /^(?:_.*|\$.*|i18n.*|messages|translations?|locales?|dictionary|runtimeConfig|config|env|theme|styles?|css|class(?:es|Name)?|icons?|svg|href|src|srcSet|url|link|path|slug|id|key|hash|token|query|buildId|scripts?|compiledSource|code(?:Bundle)?|schema|seo|meta|head|nav(?:igation|Items|Links)?|menu|footer|sidebar|cookies?|consent|features?Flags?|flags|session|headers?List)$/i;
const headingKey = /^(?:title|heading|headline|question|subtitle|name)$/i;
const markup = /<(?:p|div|h[1-6]|ul|ol|li|pre|table|section|article|br|blockquote|strong|em|a|code)\b[^>]*>/i;
const markdown = /^#{1,6} \S|^(?:[-*]|\d+\.) \S|^```|\]\([^)\s]+\)|\*\*\S/m;
const noProse =
  /^\s*(?:[{[]|function\b|\/\*|["']use |import |export |var |data:|https?:\/\/\S+$|[.#@][\w-]+\s*\{)/;

/** What the values of a page's state say, in their order, each text once; `html` is empty when they say nothing. */
export function stateHtml(value: unknown): StateText {
  const parts: string[] = [];
  const targets: string[] = [];
  const said = new Set<string>();
  const seen = new Set<object>();
  let heading = '';
  let length = 0;
  let values = 0;

  const say = (html: string, text: string): void => {
    if (said.has(text) || length > maxLength) return;
    said.add(text);
    if (heading !== '' && !said.has(heading)) {
      said.add(heading);
      parts.push(`<h2>${escaped(heading)}</h2>`);
    }
    heading = '';
    parts.push(html);
    length += html.length;
  };

  const readText = (text: string, key: string): void => {
    if (headingKey.test(key) && text.length <= 200 && !text.includes('\n')) heading = text;
    else if (markup.test(text) && text.length >= minProse) say(text, text);
    else if (isProse(text)) {
      if (!markdown.test(text)) say(`<p>${escaped(text).replace(/\n{2,}/g, '</p><p>')}</p>`, text);
      else {
        const read = markdownToHtml(text);
        targets.push(...read.targets);
        say(read.html, text);
      }
    }
  };

  (function visit(inner: unknown, key: string, nesting: number): void {
    values += 1;
    if (values > maxValues || nesting > maxNesting) return;
    if (typeof inner === 'string') readText(inner, key);
    if (typeof inner !== 'object' || inner === null || seen.has(inner)) return;
    seen.add(inner);
    const tree = treeHtml(inner, 0);
    if (tree !== undefined) {
      say(tree, tree);
      return;
    }
    // A title names what stands beside it, wherever it stands.
    const entries = Object.entries(inner).toSorted(
      ([a], [b]) => Number(headingKey.test(b)) - Number(headingKey.test(a)),
    );
    for (const [name, item] of Array.isArray(inner) ? Object.entries(inner) : entries)
      if (Array.isArray(inner) || !notContent.test(name))
        visit(item, Array.isArray(inner) ? key : name, nesting + 1);
  })(value, '', 0);
  return { html: parts.join('\n'), targets };
}

function isProse(text: string): boolean {
  if (noProse.test(text)) return false;
  if ((text.match(/[\u2e80-\ufaff]/g)?.length ?? 0) >= minCjk) return true;
  return text.length >= minProse && (text.match(/\s\S/g)?.length ?? 0) >= minSpaces;
}

const tagName =
  /^(?:p|h[1-6]|ul|ol|li|pre|code|table|thead|tbody|tr|td|th|blockquote|strong|em|a|br|dl|dt|dd|div|section|hr|span)$/;

/**
 * The HTML of a tree that stands for one: hast (Nuxt Content), Portable Text (Sanity), Contentful's and Slate's rich
 * text; undefined for any other value.
 */
function treeHtml(value: unknown, nesting: number): string | undefined {
  if (typeof value !== 'object' || value === null || nesting > maxNesting) return undefined;
  const node = value as Readonly<Record<string, unknown>>;
  const children = [node.children, node.content].find(Array.isArray);
  const text = [node.text, node.value].find((item) => typeof item === 'string');
  if (children === undefined) {
    const isText = text !== undefined && (node.type === 'text' || node.nodeType === 'text' || nesting > 0);
    return isText ? escaped(text as string) : undefined;
  }
  const isRoot = node.type === 'root' || node.nodeType === 'document' || node.type === 'doc';
  const isNode =
    isRoot || ['type', 'nodeType', '_type', 'tag'].some((name) => typeof node[name] === 'string');
  if (!isNode || children.length === 0) return undefined;
  const inner = children.map((child: unknown) => treeHtml(child, nesting + 1));
  if (inner.every((part) => part === undefined)) return undefined;
  const tag = tagOf(node);
  const html = inner.map((part) => part ?? '').join('');
  return tag === undefined ? html : `<${tag}${linkOf(tag, node)}>${html}</${tag}>`;
}

const tagsByType: Readonly<Record<string, string>> = {
  paragraph: 'p',
  block: 'p',
  heading: 'h2',
  'list-item': 'li',
  listItem: 'li',
  'unordered-list': 'ul',
  'ordered-list': 'ol',
  hyperlink: 'a',
  link: 'a',
  codeBlock: 'pre',
  blockquote: 'blockquote',
};

function tagOf(node: Readonly<Record<string, unknown>>): string | undefined {
  const named = node.tag ?? node.tagName ?? node.style;
  if (typeof named === 'string' && tagName.test(named)) return named;
  const type = String(node.nodeType ?? node.type ?? node._type ?? '');
  return /^heading-[1-6]$/.test(type) ? `h${type.slice(-1)}` : tagsByType[type];
}

function linkOf(tag: string, { props, data, url }: Readonly<Record<string, unknown>>): string {
  const of = (holder: unknown, name: string) =>
    typeof holder === 'object' && holder !== null ? Reflect.get(holder, name) : undefined;
  const target = of(props, 'href') ?? of(data, 'uri') ?? url;
  return tag === 'a' && typeof target === 'string' ? ` href="${escaped(target)}"` : '';
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
