import type { Query, SiteQuery } from './query.ts';
import { hostMatches, parseSite, siteMatches } from './site.ts';

/** What the operator wants of domains, with their subdomains. */
export interface DomainRules {
  /** Whether pages at this URL are neither visited nor shown. */
  isBlocked(url: string): boolean;
  /** The factor of a result's score: above 1 for a raised domain, below 1 for a lowered one. */
  factorOf(url: string): number;
  /** Matches the pages of blocked domains; undefined when none is blocked. */
  readonly blocked: Query | undefined;
  /** Whether any domain is raised or lowered. */
  readonly hasFactors: boolean;
}

/** A line that is not understood. */
export interface WrongLine {
  readonly line: number;
  readonly why: string;
}

type Action = 'block' | 'allow' | 'raise' | 'lower';

interface Rule {
  readonly action: Action;
  /** Undefined for `*`: every page. */
  readonly site: SiteQuery | undefined;
}

const factors = { raise: 1.5, lower: 0.5 } as const;
/** More would make each search of the index slow. */
const maxRules = 2000;

/**
 * Parses a file of rules, one a line: `block`, `allow`, `raise` or `lower` before a domain, a domain with a path, or `*`;
 * or a match pattern of uBlacklist: `*://*.example.com/*` blocks, with `@` before it it allows. The most specific rule
 * decides, of equal ones the last.
 */
export function parseDomainRules(text: string): { rules: DomainRules; wrong: readonly WrongLine[] } {
  const found: Rule[] = [];
  const wrong: WrongLine[] = [];
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.replace(/(?:^|\s)#.*$/, '').trim();
    if (line === '') continue;
    const rule = parseRule(line);
    if (typeof rule === 'string') wrong.push({ line: index + 1, why: rule });
    else if (found.length < maxRules) found.push(rule);
    else wrong.push({ line: index + 1, why: `there may be at most ${maxRules} rules` });
  }
  return { rules: rulesOf(found), wrong };
}

const worded = /^(block|allow|raise|lower)\s+(\S+)$/;
const matchPattern = /^(@?)(?:\*|https?):\/\/(\*|(?:\*\.)?[^/*]+)(\/[^*]*)\*$/;

/** A rule, or why the line is none. */
function parseRule(line: string): Rule | string {
  const [, action, target = ''] = worded.exec(line) ?? [];
  if (action !== undefined) return ruleFor(action as Action, target);
  const [, mark, host = '', path = ''] = matchPattern.exec(line) ?? [];
  if (mark !== undefined)
    return ruleFor(mark === '@' ? 'allow' : 'block', `${host}${host === '*' ? '' : path}`);
  if (/^@?\/.*\/\w*$/.test(line)) return 'regular expressions are not understood: name the domain';
  return 'must be block, allow, raise or lower and a domain, or a pattern such as *://*.example.com/*';
}

function ruleFor(action: Action, target: string): Rule | string {
  if (target === '*') return { action, site: undefined };
  const site = parseSite(target);
  const isWhole =
    site !== undefined && /^(?:\*\.)?[^*]+$/.test(target) && /^[^/]*[.\]]|^localhost/.test(target);
  return isWhole ? { action, site } : `${target} is no domain`;
}

function rulesOf(found: readonly Rule[]): DomainRules {
  const visibility = bySpecificity(found.filter(({ action }) => action === 'block' || action === 'allow'));
  const order = bySpecificity(found.filter(({ action }) => action === 'raise' || action === 'lower'));
  const blocks = blockedQuery(visibility);
  return {
    isBlocked: (url) => {
      const rule = visibility.find(({ site }) => site === undefined || siteMatches(site, url));
      if (rule?.action !== 'block') return false;
      // The file that says what may be read of an allowed path.
      return !(
        isRobotsTxt(url) &&
        visibility.some(({ action, site }) => action === 'allow' && site && isOn(site, url))
      );
    },
    factorOf: (url) => {
      const rule = order.find(({ site }) => site === undefined || siteMatches(site, url));
      return rule === undefined ? 1 : factors[rule.action as 'raise' | 'lower'];
    },
    blocked: blocks,
    hasFactors: order.length > 0,
  };
}

function isRobotsTxt(url: string): boolean {
  return URL.canParse(url) && new URL(url).pathname === '/robots.txt';
}

function isOn(site: SiteQuery, url: string): boolean {
  return hostMatches(site, new URL(url).hostname);
}

/** The most specific first, of equal ones the last of the file: the first that fits decides. */
function bySpecificity(rules: readonly Rule[]): Rule[] {
  const weight = ({ site }: Rule) => (site === undefined ? -1 : site.host.length * 10_000 + site.path.length);
  const last = new Map(rules.map((rule) => [JSON.stringify(rule.site ?? null), rule]));
  return [...last.values()].toSorted((a, b) => weight(b) - weight(a));
}

/** The pages that rules block, as a query: of each blocked site, those that no more specific rule allows. */
function blockedQuery(rules: readonly Rule[]): Query | undefined {
  const of = rules.flatMap((rule, index): Query[] => {
    if (rule.action !== 'block') return [];
    const allowed = rules.slice(0, index).filter((other) => other.action === 'allow' && overlap(rule, other));
    const without = allowed.flatMap(({ site }): Query[] => (site ? [{ kind: 'not', of: site }] : []));
    return [{ kind: 'all', of: [...(rule.site ? [rule.site] : []), ...without] }];
  });
  return of.length === 0 ? undefined : { kind: 'any', of };
}

/** Whether a page can belong to both. */
function overlap({ site: one }: Rule, { site: other }: Rule): boolean {
  if (one === undefined || other === undefined) return true;
  const hosts = hostMatches(one, other.host) || hostMatches(other, one.host);
  const isBelow = (path: string, above: string) => path === above || path.startsWith(`${above}/`);
  return hosts && (isBelow(one.path, other.path) || isBelow(other.path, one.path));
}
