import { oneLine } from '../../text/line/one-line.ts';
import { truncate } from '../../text/line/truncate.ts';
import type { Element } from '../main-text/tree.ts';
import { withoutMarkup } from '../without-markup.ts';

type Thing = Readonly<Record<string, unknown>>;

/** The part of a page's JSON-LD (schema.org) that its metadata needs. */
export interface LinkedData {
  readonly headline: string | null;
  readonly authors: readonly string[];
  /** The author is declared to be an organization. */
  readonly isOrganization: boolean;
  readonly datePublished: string | null;
  readonly description: string | null;
  readonly siteName: string | null;
  /** The text of the article itself. */
  readonly articleBody: string | null;
  /** The text of the article or product, for a page that shows it by a script only. */
  readonly text: string | null;
  /** A shop's description of the product on the page. */
  readonly productText: string | null;
  readonly isForum: boolean;
}

const maxHeadline = 1000;
const maxThings = 2000;
const maxNesting = 12;
const maxSourceLength = 2_000_000;
const articleType = /^(?:\w*Article|BlogPosting|Report|SocialMediaPosting|LiveBlogPosting)$/;
const forumType = /^(?:DiscussionForumPosting|QAPage)$/;
/** A question makes a forum unless the site answers it itself. */
const questionType = /^Question$/;
const faqType = /^FAQPage$/;
const otherType =
  /^(?:Recipe|Review|VideoObject|Product|HowTo|Event|JobPosting|Course|Book|Dataset|SoftwareApplication|PodcastEpisode|CreativeWork)$/;
const productType = /^Product(?:Group)?$/;
const pageType = /^(?:\w*WebPage|ItemPage|AboutPage|FAQPage|CollectionPage|ProfilePage|Webpage)$/;

/** Reads `application/ld+json` scripts. Scripts with invalid JSON are ignored, except for their date. */
export function readLinkedData(scripts: readonly Element[]): LinkedData {
  const broken: string[] = [];
  const things = collect(scripts.flatMap((script) => parse(script, broken)));
  const byId = new Map<string, Thing>();
  for (const thing of things) {
    const id = thing['@id'];
    if (typeof id === 'string' && Object.keys(thing).length > 1 && !byId.has(id)) byId.set(id, thing);
  }
  const ofType = (pattern: RegExp) =>
    things.filter((thing) => types(thing).some((type) => pattern.test(type)));
  const resolve = (value: unknown): unknown =>
    isThing(value) && typeof value['@id'] === 'string' && value.name === undefined
      ? (byId.get(value['@id']) ?? value)
      : value;
  const articles = ofType(articleType);
  const threads = [...ofType(forumType), ...(ofType(faqType).length > 0 ? [] : ofType(questionType))];
  const subjects = [...articles, ...threads, ...ofType(otherType)];
  const main = subjects[0];
  const dayOf = (thing: Thing | undefined) =>
    text(
      thing?.datePublished ??
        thing?.uploadDate ??
        (threads.some((each) => each === thing) ? thing?.dateCreated : null),
    );
  const dated = [...subjects, ...ofType(pageType)].find(dayOf);
  const author = articles.find((thing) => thing.author !== undefined)?.author ?? main?.author;
  const websites = ofType(/^WebSite$/);
  const articleBody = text(main?.articleBody) ?? text(main?.text);
  return {
    headline: truncate(text(main?.headline) ?? text(articles[0]?.name) ?? '', maxHeadline, '') || null,
    authors: names(author, resolve),
    isOrganization: [author].flat().every((item) => isOrganization(resolve(item))),
    datePublished: dayOf(dated) ?? dateInBrokenJson(broken),
    description: text(main?.description),
    siteName: names(websites[0]?.name ?? main?.publisher, resolve)[0] ?? null,
    articleBody,
    text: articleBody ?? text(main?.description),
    productText: text(ofType(productType)[0]?.description),
    isForum: threads.length > 0,
  };
}

function parse(script: Element, broken: string[]): unknown[] {
  const json = withoutWrapper(sourceOf(script));
  if (json === '') return [];
  for (const attempt of [json, json.replace(/\s/g, ' ').replace(/,\s?([}\]])/g, '$1')]) {
    try {
      return [JSON.parse(attempt)];
    } catch {
      // The second attempt repairs line breaks in strings and trailing commas, the usual errors of templates.
    }
  }
  broken.push(json);
  return [];
}

/** The date of publication in scripts with invalid JSON. */
function dateInBrokenJson(sources: readonly string[]): string | null {
  for (const source of sources) {
    const match = /"datePublished"\s*:\s*"([^"]{4,40})"/.exec(source);
    if (match?.[1] !== undefined) return match[1];
  }
  return null;
}

function sourceOf(script: Element): string {
  const source = script.children.filter((child) => typeof child === 'string').join('');
  return source.length > maxSourceLength ? '' : source;
}

const openings = ['<!--', '<![CDATA[', '/*<![CDATA[*/', '//<![CDATA[', '/**/', '//'];
const closings = ['-->', ']]>', '/*]]>*/', '//]]>', '//'];

/** JSON without the comment and CDATA marks of templates. */
function withoutWrapper(source: string): string {
  let json = source.trim();
  for (const opening of openings) if (json.startsWith(opening)) json = json.slice(opening.length).trimStart();
  for (const closing of closings) if (json.endsWith(closing)) json = json.slice(0, -closing.length).trimEnd();
  return json;
}

/** All objects in document order, up to maximum number and nesting. */
function collect(values: readonly unknown[]): Thing[] {
  const things: Thing[] = [];
  (function visit(value: unknown, nesting: number): void {
    if (things.length >= maxThings || nesting > maxNesting) return;
    if (Array.isArray(value)) for (const item of value) visit(item, nesting + 1);
    else if (isThing(value)) {
      things.push(value);
      for (const inner of Object.values(value)) if (typeof inner === 'object') visit(inner, nesting + 1);
    }
  })(values, 0);
  return things;
}

function isThing(value: unknown): value is Thing {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function types(thing: Thing): string[] {
  const type = thing['@type'];
  const list = Array.isArray(type) ? type : [type];
  return list.filter((name) => typeof name === 'string').map((name) => name.replace(/^.*[/:#]/, ''));
}

const organizationType = /^(?:\w*Organization|Corporation|WebSite|NewsAgency)$/;

const isOrganization = (value: unknown): boolean =>
  isThing(value) && types(value).some((type) => organizationType.test(type));

function text(value: unknown): string | null {
  const first = Array.isArray(value) ? value[0] : value;
  if (typeof first !== 'string' && typeof first !== 'number') return null;
  const line = oneLine(withoutMarkup(String(first)));
  return line === '' ? null : line;
}

function names(value: unknown, resolve: (value: unknown) => unknown): string[] {
  const list = Array.isArray(value) ? value : [value];
  return list.flatMap((item) => {
    const resolved = resolve(item);
    const name = isThing(resolved) ? text(resolved.name) : text(resolved);
    return name === null ? [] : [name];
  });
}
