import { createHash } from 'node:crypto';
import { headingRarity } from './heading-rarity.ts';
import type { Item } from './item.ts';
import { misspell } from './misspell.ts';
import type { SitePages } from './site-pages.ts';
import { urlOf } from './site-pages.ts';
import type { Site } from './sites.ts';

export type Half = 'dev' | 'held';

export const kinds = [
  'name',
  'dotted name',
  'heading',
  'index term',
  'name and library',
  'misspelt',
  'agent',
] as const;
export type Kind = (typeof kinds)[number];

export interface Question {
  readonly kind: Kind;
  readonly site: string;
  readonly half: Half;
  readonly text: string;
  /** URLs of the right pages: any of them will do. */
  readonly right: ReadonlySet<string>;
  /** What a misspelt question should have been. */
  readonly meant?: string;
}

/** A name on more pages of its site, or of all sites, is a search by subject and not for a known item. */
const maxPagesOfSite = 3;
const maxPagesInAll = 8;
/** A member that more types of a site have is one that every type has, `toString` or `borrow_mut`. */
const maxOwners = 50;
/** A heading needs a word that stands in the headings of no more pages: every site has `Use cases`. */
const maxPagesOfRarestWord = 20;

/**
 * The questions of every site before sampling, fair by these rules:
 * - A right page is one that the site's own index names for the term, or that forwards to it, or in rustdoc that shows the
 *   same item under another module. Anchors are dropped. Pages that are not in the store do not count,
 *   nor do those that do not have the name, as that of an inherited member.
 * - A question that names no library takes the right pages of all sites that have the term, in any case of letters.
 * - Terms with more than three pages on their site, or eight in all, are left out, and members that more than fifty types
 *   of the site have.
 * - A term of an index for people is asked with its library: other sites explain the same subject.
 * - A bare name must look like one (an inner capital, digit, underscore, hyphen), or have a page of its own: `append`
 *   alone is a word of English. With its library it is asked for.
 * - A heading has two to six words, none of them an operator of queries, one of them in the headings of at most twenty
 *   pages of all sites, and stands on one page of its site that is no listing.
 */
export function questionsOf(all: readonly SitePages[], isStored: (url: string) => boolean): Question[] {
  const terms = createTerms();
  const rarity = headingRarity(all);
  const found: { kind: Kind; site: Site; text: string; scope: 'all' | 'site' }[] = [];
  for (const pages of all) {
    const { site, items, headings, forwards } = pages;
    const take = (kind: Kind, text: string, page: string, scope: 'all' | 'site') => {
      const url = urlOf(site, forwards.get(page) ?? page);
      if (!isStored(url)) return;
      terms.add(site, text, url);
      if (kind !== 'misspelt') found.push({ kind, site, text, scope });
    };
    const ownersOf = ownersByName(items);
    for (const item of items) {
      if (!isTypable(item)) continue;
      const { name, owners, separator, qualified, page } = item;
      if ((ownersOf.get(name)?.size ?? 0) > maxOwners) continue;
      const library = site.library(page);
      if (item.kind === 'term') {
        take('index term', `${library} ${name}`, page, 'site');
        continue;
      }
      // All entries of a name make its right pages, also those of which no question is made.
      take(looksLikeName(name) || isPageOf(page, name) ? 'name' : 'misspelt', name, page, 'all');
      const dotted = qualified ?? [...owners, name].join(separator);
      if (dotted !== name) take('dotted name', dotted, page, 'all');
      take('name and library', libraryQuestion(item, library), page, 'site');
    }
    for (const [heading, on] of headings) {
      const text = withoutNumber(heading);
      const [page] = on;
      if (page !== undefined && on.size === 1 && isPhrase(text) && rarity(text) <= maxPagesOfRarestWord)
        take('heading', text, page, 'all');
    }
  }
  const questions = found.flatMap(({ kind, site, text, scope }): Question[] => {
    const ofSite = terms.ofSite(site, text);
    const right = scope === 'all' ? terms.ofAll(text) : ofSite;
    if (ofSite.size > maxPagesOfSite || right.size > maxPagesInAll) return [];
    return [{ kind, site: site.name, half: halfOf(site, ofSite), text, right }];
  });
  const distinct = new Map(questions.map((question) => [keyOf(question), question]));
  return [...distinct.values()].flatMap((question) => {
    const wrong =
      question.kind === 'name' && /^[a-z]{6,}$/i.test(question.text) ? misspell(question.text) : '';
    if (wrong === '' || terms.ofAll(wrong).size > 0 || wrong === question.text) return [question];
    return [question, { ...question, kind: 'misspelt', text: wrong, meant: question.text }];
  });
}

/** At most this many of each site and kind, the same ones in each run. */
export function sampled(questions: readonly Question[], most: number): Question[] {
  const groups = new Map<string, Question[]>();
  for (const question of questions) {
    const group = `${question.half} ${question.site} ${question.kind}`;
    groups.set(group, [...(groups.get(group) ?? []), question]);
  }
  return [...groups.values()].flatMap((group) =>
    group
      .map((question) => ({ question, key: hashOf(keyOf(question)) }))
      .sort((a, b) => (a.key < b.key ? -1 : 1))
      .slice(0, most)
      .map(({ question }) => question),
  );
}

/** A term in any case of letters -> its right pages. */
function createTerms() {
  const bySite = new Map<string, Set<string>>();
  const byTerm = new Map<string, Set<string>>();
  const addTo = (map: typeof bySite, key: string, url: string) =>
    map.set(key, (map.get(key) ?? new Set()).add(url));
  const none: ReadonlySet<string> = new Set();
  return {
    add(site: Site, text: string, url: string) {
      const term = text.toLowerCase();
      addTo(bySite, `${site.name} ${term}`, url);
      addTo(byTerm, term, url);
    },
    ofSite: (site: Site, text: string) => bySite.get(`${site.name} ${text.toLowerCase()}`) ?? none,
    ofAll: (text: string) => byTerm.get(text.toLowerCase()) ?? none,
  };
}

function ownersByName(items: readonly Item[]): ReadonlyMap<string, ReadonlySet<string>> {
  const ownersOf = new Map<string, Set<string>>();
  for (const { name, owners } of items)
    ownersOf.set(name, (ownersOf.get(name) ?? new Set()).add(owners.join('.')));
  return ownersOf;
}

/** `rust HashMap drain`, and for every other item without an owner of its own kind `asyncio TaskGroup`. */
function libraryQuestion({ name, owners, separator }: Item, library: string): string {
  const owner = owners.at(-1);
  const isType = owner !== undefined && /^[A-Z]/.test(owner);
  if (isType) return `${library} ${owner} ${name}`;
  const module = owners.join(separator);
  return module !== '' && hashOf(`${module} ${name}`) < '8' ? `${module} ${name}` : `${library} ${name}`;
}

function isTypable({ name, kind }: Item): boolean {
  if (kind === 'term') return /^[\p{L}\p{N}][\p{L}\p{N} '/.+-]*$/u.test(name) && name.split(' ').length <= 5;
  return /^[\w$.-]{3,}$/.test(name) && /[a-z]{2}/i.test(name) && !/^[-_.]*$|^-|^__.*__$/.test(name);
}

function looksLikeName(name: string): boolean {
  return /[a-z\d][A-Z]|[_\d]|\w-\w|[A-Z]{3}/.test(name);
}

/** Whether the page at a path is about this name alone, by its file name. */
function isPageOf(path: string, name: string): boolean {
  const [folder, file = ''] = [path.split('/').at(-2) ?? '', path.split('/').at(-1) ?? ''];
  const stem = file.replace(/\.html?$/, '').replace(/\.\d\w*$/, '');
  const parts = [stem, stem.split('.').at(-1), /^(?:index|package-summary)$/.test(stem) ? folder : ''];
  return parts.some((part) => part?.toLowerCase() === name.toLowerCase());
}

function withoutNumber(heading: string): string {
  return heading.replace(/^(?:chapter|part|appendix)\s+\w+\.\s+|^[A-Z]?\d*(?:\.\d+)*\.\s+/i, '');
}

function isPhrase(heading: string): boolean {
  const words = heading.split(' ');
  return (
    words.length >= 2 &&
    words.length <= 6 &&
    /^[\p{L}\p{N}][\p{L}\p{N} '’,./:()_#&-]*$/u.test(heading) &&
    !/(?:^| )(?:OR|AND|NOT)(?: |$)| -|\w:\S|[#_]$/.test(heading) &&
    words.filter((word) => /\p{L}{3}/u.test(word)).length >= 2
  );
}

/** The half of a question: that of its site, or by a hash of its first right page. */
export function halfOf(site: Site, right: Iterable<string>): Half {
  if (site.half !== 'both') return site.half;
  return hashOf([...right].sort()[0] ?? '') < '8' ? 'dev' : 'held';
}

function keyOf({ kind, site, text, half }: Question): string {
  return `${half} ${site} ${kind} ${text.toLowerCase()}`;
}

function hashOf(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}
