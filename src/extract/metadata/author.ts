import { foldForComparison } from '../../text/line/fold-for-comparison.ts';
import { oneLine } from '../../text/line/one-line.ts';
import { type Element, type HtmlTree, textOf } from '../main-text/tree.ts';
import { bylineOf } from './byline.ts';
import type { LinkedData } from './json-ld.ts';
import { isDomainName, isOrganizationName, withoutTemplates } from './no-person.ts';
import { isPersonName, isSystemAccount, namesIn } from './person-names.ts';
import { isOfReply } from './replies.ts';
import { createSiteTest, type SiteTest } from './site-name.ts';
import { createAsideTest } from './visible-dates.ts';

export interface AuthorSources {
  readonly tree: HtmlTree;
  readonly meta: (name: string) => string | null;
  readonly linked: LinkedData;
  readonly title: string;
  readonly siteName: string | null;
  readonly host: string;
}

export interface Author {
  readonly name: string;
  /** The source of the name. */
  readonly from: string;
}

const authorMeta = [
  'author',
  'article:author',
  'og:article:author',
  'parsely-author',
  'sailthru.author',
  'dc.creator',
  'dcterms.creator',
  'dc:creator',
  'citation_author',
  'byl',
  'cxenseparse:author',
];
/** Vocabularies with an element for each author. */
const citations: ReadonlySet<string> = new Set(['dc.creator', 'dcterms.creator', 'citation_author']);
const maxCited = 20;
const maxRelated = 50;
const maxCoauthors = 2;
/** Addresses, accounts after @, rights. */
const noName = /https?:|www\.|^@|\S+@\S+\.\S+|[©®]|\{\{|%%/;
const maxAuthorLength = 100;

/**
 * The author of a page. First what vocabularies declare, if it is a person: JSON-LD, meta, `itemprop`, `rel`. Then the
 * visible byline. An organization, the site's own name or an account to log in with counts only where the page shows no
 * byline. In meta, the name of a host, another company and an account of a system are not read. No author is better than a
 * wrong one.
 */
export function authorOf(sources: AuthorSources): Author | null {
  const isSite = createSiteTest([sources.siteName], sources.host);
  const all = [...declaredAuthors(sources, isSite)];
  const [first] = all;
  const isFirstWeak = first !== undefined && isWeak(first, isSite);
  const isPerson = first !== undefined && !isFirstWeak && hasSeveralWords.test(first.name);
  if (isPerson && all.slice(1).some(({ name }) => name === first.name)) return first;
  const byline = bylineOf(sources.tree, sources.title);
  const believedOne = believed(all, isSite);
  const declared = believedOne && { ...believedOne, name: asWritten(believedOne.name, sources.tree) };
  if (byline === null) return declared;
  const shown = { name: byline.names.join(', '), from: byline.from };
  if (isPerson) {
    if (!byline.isNearTitle || !byline.names.every(isPersonName) || sharesName(first.name, byline.names))
      return declared;
    // Who put the page in is declared, and who wrote it is shown.
    return (
      all.find(({ name }) =>
        byline.names.every((each) => foldForComparison(name).includes(foldForComparison(each))),
      ) ?? shown
    );
  }
  if (declared === null) return shown;
  if (isFirstWeak) return byline.names.some(isPersonName) && !isSite.exactly(shown.name) ? shown : declared;
  // The first name alone is declared, and the byline has all of it.
  const isLonger =
    firstName.test(declared.name) &&
    foldForComparison(shown.name).startsWith(`${foldForComparison(declared.name)} `);
  return isLonger && byline.names.length === 1 ? shown : declared;
}

interface Declared extends Author {
  readonly isOrganization?: boolean;
}

/** An organization, the site itself or an account. */
const isWeak = ({ name, isOrganization = false }: Declared, isSite: SiteTest): boolean =>
  isOrganization ||
  isSite.likely(name) ||
  name.split(', ').every((each) => isOrganizationName(each) || isDomainName(each)) ||
  isAccount.test(name);

/** The first author that is declared and may have written the page; a person before an organization. */
function believed(all: readonly Declared[], isSite: SiteTest): Declared | null {
  const [first = null] = all;
  if (first === null || !isWeak(first, isSite)) return first;
  const isNamed = (each: Declared) => !isWeak(each, isSite) && each.name.split(', ').every(isPersonName);
  return first.isOrganization ? (all.find(isNamed) ?? first) : first;
}

/** `ann.lee` as the text has it: `Ann P. Lee`. Another name stays as it is. */
function asWritten(name: string, { root }: HtmlTree): string {
  if (!isFullAccount.test(name)) return name;
  const words = name.split(/[._-]/).join('(?:\\s+\\p{Lu}\\.)?\\s+');
  const written = new RegExp(`(?<![\\p{L}\\p{N}.])${words}(?![\\p{L}\\p{N}])`, 'giu');
  for (const [found] of textOf(root).slice(0, maxSearched).matchAll(written)) {
    const line = oneLine(found);
    if (isPersonName(line)) return line;
  }
  return name;
}

const isFullAccount = /^[a-z]{2,20}(?:[._-][a-z]{2,20}){1,2}$/;
const maxSearched = 200_000;

/** Whether one of the names, or a word of one, is declared: spellings differ. */
function sharesName(declared: string, names: readonly string[]): boolean {
  const words = new Set(foldForComparison(declared).split(' '));
  return names.some((name) =>
    foldForComparison(name)
      .split(' ')
      .some((word) => word.length > 2 && words.has(word)),
  );
}

const firstName = /^\p{Lu}\p{Ll}+$/u;
const hasSeveralWords = /\S\s+\S|\p{Script=Han}/u;
/** A name to log in with: no capital. */
const isAccount = /^[a-z0-9]+(?:[._-][a-z0-9]+)*$/;

function* declaredAuthors(sources: AuthorSources, isSite: SiteTest): Generator<Declared> {
  const { tree, linked } = sources;
  const fromLinked = joinNames(linked.authors);
  if (fromLinked !== null) yield { name: fromLinked, from: 'JSON-LD', isOrganization: linked.isOrganization };
  for (const name of authorMeta) {
    const author = joinNames(namesInMeta(name, sources, isSite));
    if (author !== null) yield { name: author, from: `meta ${name}` };
  }
  const marked = tree.annotated.filter(
    (element) => element.attributes.itemprop?.split(/\s+/).includes('author') && !isOfReply(element),
  );
  // Authors elsewhere in the page wrote its comments.
  const together = marked.filter(({ parent }) => parent === marked[0]?.parent);
  const fromItems = joinNames(together.slice(0, 5).map(itemName));
  if (fromItems !== null) yield { name: fromItems, from: 'itemprop author' };
  const aside = createAsideTest(tree);
  const related = tree.annotated
    .filter(
      (element) =>
        element.tag === 'a' &&
        element.attributes.rel?.split(/\s+/).includes('author') &&
        !isOfReply(element) &&
        !aside.isInAside(element),
    )
    .slice(0, maxRelated)
    .map((element) => namesIn(oneLine(textOf(element)), { accounts: true }).join(', '))
    .filter((name) => name !== '');
  // A list of pages names the author of each.
  if (related[0] !== undefined && new Set(related).size <= maxCoauthors)
    yield { name: related[0], from: 'rel=author' };
}

function namesInMeta(name: string, { tree, meta }: AuthorSources, isSite: SiteTest): readonly string[] {
  if (name === 'citation_author') return metaContents(tree, name);
  const contents = citations.has(name) ? metaContents(tree, name) : [meta(name) ?? ''];
  const names = contents.flatMap((content) => cleanName(content).split(', ')).filter((each) => each !== '');
  // `tom.wu` may be a host, or an account that the text writes as Tom Wu.
  return withoutTemplates(
    names.map((each) => (isDomainName(each) ? asWritten(each, tree) : each)),
    isSite,
  );
}

function metaContents(tree: HtmlTree, name: string): string[] {
  return (tree.byTag.get('meta') ?? [])
    .filter(({ attributes }) => attributes.name?.trim().toLowerCase() === name)
    .slice(0, maxCited)
    .map(({ attributes }) => turnedAround(oneLine(attributes.content ?? '')));
}

/** `Lee, Ann` is `Ann Lee`. */
const turnedAround = (name: string) => name.replace(/^([^,]+),\s+([^,]+)$/, '$2 $1');

/** The `name` in an author item, otherwise the item's own text. */
function itemName(item: Element): string {
  let name: string | undefined;
  let looked = 0;
  (function visit(element: Element): void {
    for (const child of element.children) {
      if (typeof child === 'string' || name !== undefined || ++looked > 50) continue;
      if (child.attributes.itemprop?.split(/\s+/).includes('name'))
        name = child.attributes.content ?? textOf(child);
      else visit(child);
    }
  })(item);
  const marked = name ?? item.attributes.content;
  if (marked !== undefined) return oneLine(marked);
  const text = oneLine(textOf(item));
  return moreThanNames.test(text) ? namesIn(text, { accounts: false }).join(', ') : text;
}

/** A year, or signs that divide what is said. */
const moreThanNames = /(?<!\d)(?:19|20)\d\d(?!\d)|[|(:•·]/;

function joinNames(names: readonly string[]): string | null {
  const clean = names.map(cleanName).filter((name) => name !== '');
  const joined = [...new Set(clean)].join(', ');
  return joined === '' || joined.length > maxAuthorLength * 3 ? null : joined;
}

/** An address of mail behind a name. One of the web is left, because it is that of who made the template. */
const mailBehind = /(?: [-–—|]|,)? [<([]?(?:mailto:)?[^\s<([]{1,64}@[^\s>)\]]+[>)\]]?$/i;

function cleanName(raw: string): string {
  if (raw.length > maxAuthorLength * 3) return '';
  const name = raw
    .replace(/^(?:by|von|par|por|di|written by|作者)(?:\s*[:：]\s*|\s+)/i, '')
    .replace(/\s+@\w+$/, '')
    .replace(mailBehind, '')
    .replace(/^\S+@\S+ \(([^()]+)\)$/, '$1')
    .replace(/^(\p{Lu}\S*(?:\s+\S+){1,3})\s+\|\s.*$/u, '$1')
    .replace(/^(.+?)\s+\|\s.*$/u, (whole, people: string) =>
      people.split(', ').every(isPersonName) ? people : whole,
    )
    .replace(/[\s,;|·•-]+$/, '')
    .trim();
  if (name.length < 2 || name.length > maxAuthorLength || isSystemAccount(name)) return '';
  return noName.test(name) || !/\p{L}/u.test(name) ? '' : name;
}
