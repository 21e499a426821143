import { oneLine } from '../../text/line/one-line.ts';
import { truncate } from '../../text/line/truncate.ts';
import { absoluteUrl } from '../links.ts';
import type { Trail } from '../main-text/explain.ts';
import { type Element, type HtmlTree, hasAncestor, textOf } from '../main-text/tree.ts';
import { withoutMarkup } from '../without-markup.ts';
import { authorOf } from './author.ts';
import { type LinkedData, readLinkedData } from './json-ld.ts';
import { publicationOf } from './published.ts';
import { pageTitle } from './title.ts';

export interface Metadata {
  readonly title: string;
  readonly otherTitles: string;
  readonly description: string;
  readonly author: string | null;
  readonly publishedAt: number | null;
  /** The day where the page is, if it is another one than in UTC. */
  readonly publishedDay?: string;
  readonly siteName: string | null;
  /** From `<html lang>` or meta, as written. */
  readonly declaredLang: string | null;
  readonly canonical: string | null;
  readonly robots: { readonly noindex: boolean; readonly nofollow: boolean };
  readonly linked: LinkedData;
  readonly generator: string;
}

const maxTitle = 500;
const maxDescription = 1000;

/** The metadata of a page, from its tree. */
export function readMetadata(
  tree: HtmlTree,
  page: { url: string; base: string; now: number },
  trail?: Trail,
): Metadata {
  const meta = readMeta(tree);
  const linked = readLinkedData(tree.byTag.get('script') ?? []);
  const { hostname } = new URL(page.url);
  const declaredLang = declaredLanguage(tree, meta);
  const siteName = meta('og:site_name') ?? meta('application-name') ?? linked.siteName;
  const { title, site, others } = pageTitle({
    titleTag: titleTag(tree),
    ...headingsOf(tree, page.base),
    names: [linked.headline ?? '', meta('og:title') ?? '', meta('twitter:title') ?? ''],
    siteName,
    host: hostname,
  });
  const published = publicationOf({
    tree,
    url: page.url,
    title,
    linkedDate: linked.datePublished,
    meta,
    lang: declaredLang,
    now: page.now,
  });
  if (published !== null) trail?.choose('published_at', `${published.from}: ${published.text}`);
  const author = authorOf({ tree, meta, linked, title, siteName: siteName ?? site, host: hostname });
  if (author !== null) trail?.choose('author', author.from);
  return {
    title: truncate(title, maxTitle, ''),
    otherTitles: others.join('\n'),
    description: truncate(
      oneLine(
        withoutMarkup(meta('description') ?? meta('og:description') ?? meta('twitter:description') ?? ''),
      ),
      maxDescription,
      '',
    ),
    author: author?.name ?? null,
    publishedAt: published?.time ?? null,
    ...(published !== null && published.day !== dayInUtc(published.time) && { publishedDay: published.day }),
    siteName: siteName ?? site,
    declaredLang,
    canonical: canonicalUrl(tree, page.base),
    robots: readRobots(tree),
    linked,
    generator: meta('generator') ?? '',
  };
}

const dayInUtc = (time: number) => new Date(time).toISOString().slice(0, 10);

type MetaLookup = (name: string) => string | null;

/** The first non-empty content of each `name`, `property` or `itemprop`, with names in lower case. */
function readMeta(tree: HtmlTree): MetaLookup {
  const contents = new Map<string, string>();
  for (const { attributes } of tree.byTag.get('meta') ?? []) {
    const content = attributes.content;
    if (content === undefined) continue;
    for (const name of [
      // A list of terms, by RDFa.
      ...(attributes.property?.split(/\s+/) ?? []),
      attributes.name,
      attributes.itemprop,
      attributes['http-equiv'],
    ]) {
      const key = name?.trim().toLowerCase();
      if (key === undefined || key === '' || contents.has(key)) continue;
      const value = oneLine(content.slice(0, 10_000));
      if (value !== '') contents.set(key, value);
    }
  }
  return (name) => contents.get(name) ?? null;
}

function titleTag(tree: HtmlTree): string {
  const title = tree.byTag.get('title')?.find((element) => element.parent?.tag !== 'svg');
  return title === undefined ? '' : truncate(oneLine(textOf(title)), maxTitle * 2, '');
}

const maxHeadings = 8;
const maxSubheadings = 40;

/** The headings as evidence for the title; a level-one heading that links to the site's root is a logo. */
function headingsOf(tree: HtmlTree, base: string) {
  const { origin } = new URL(base);
  const isHome = ({ tag, attributes }: Element) =>
    tag === 'a' && absoluteUrl(attributes.href, base) === `${origin}/`;
  const isLogo = (element: Element) =>
    element.children.some((child) => typeof child !== 'string' && isHome(child)) ||
    hasAncestor(element, isHome);
  const texts = (elements: readonly Element[]) =>
    elements
      .map((element) => truncate(oneLine(textOf(element)), maxTitle * 2, ''))
      .filter((text) => text !== '');
  const h1 = (tree.byTag.get('h1') ?? []).slice(0, maxHeadings);
  const below = [...(tree.byTag.get('h2') ?? []), ...(tree.byTag.get('h3') ?? [])];
  return {
    headings: texts(h1.filter((heading) => !isLogo(heading))),
    logos: texts(h1.filter(isLogo)),
    subheadings: texts(below.slice(0, maxSubheadings)),
  };
}

function declaredLanguage(tree: HtmlTree, meta: MetaLookup): string | null {
  const html = tree.byTag.get('html')?.[0]?.attributes;
  const declared = html?.lang ?? html?.['xml:lang'] ?? meta('content-language') ?? meta('og:locale') ?? '';
  return /^[a-z]{2,3}(?:[-_][\w-]*)?$/i.test(declared.trim()) ? declared.trim() : null;
}

function canonicalUrl(tree: HtmlTree, base: string): string | null {
  for (const { attributes } of tree.byTag.get('link') ?? []) {
    if (attributes.rel?.toLowerCase().split(/\s+/).includes('canonical'))
      return absoluteUrl(attributes.href, base);
  }
  return null;
}

function readRobots(tree: HtmlTree): { noindex: boolean; nofollow: boolean } {
  let noindex = false;
  let nofollow = false;
  for (const { attributes } of tree.byTag.get('meta') ?? []) {
    const name = attributes.name?.trim().toLowerCase();
    if (name !== 'robots' && name !== 'gleaner') continue;
    const rules = (attributes.content ?? '').toLowerCase().split(/[\s,]+/);
    if (rules.includes('noindex') || rules.includes('none')) noindex = true;
    if (rules.includes('nofollow') || rules.includes('none')) nofollow = true;
  }
  return { noindex, nofollow };
}
