import { decodeUnreserved } from '../../store/page/unreserved.ts';

/** Our product token in a robots.txt (RFC 9309 section 2.2.1). */
export const productToken = 'Gleaner';

/** RFC 9309 section 2.5 asks for at least this much; the rest of a file is not read. */
export const maxRobotsBytes = 500 * 1024;

/** As in Google's parser; the rest of a line is not read. */
const maxLineLength = 16_664;

interface Rule {
  readonly allow: boolean;
  readonly pattern: string;
}

export interface Robots {
  /**
   * Whether `url` may be requested. The URL must be percent-encoded, as a canonical URL is; escapes of unreserved
   * characters are the characters themselves, as in the patterns (RFC 9309 section 2.2.2).
   */
  allows(url: string): boolean;
  /** The delay of our group, without a maximum; null without one. */
  readonly crawlDelaySeconds: number | null;
  /** As written, of all groups, without duplicates. */
  readonly sitemaps: readonly string[];
}

/**
 * Reads a robots.txt by RFC 9309: groups of the same product token are merged, the longest matching pattern wins,
 * allow wins a tie, `*` and a final `$` are special, escapes are compared without regard to their case. Like
 * Google's parser it takes a missing colon and the usual misspellings. Never throws, whatever the text.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the parser's state machine over lines, held to Google's own cases
export function parseRobots(text: string, token: string = productToken): Robots {
  const ours = { rules: [] as Rule[], named: false, delay: null as number | null };
  const everyones = { rules: [] as Rule[], delay: null as number | null };
  const sitemaps = new Set<string>();
  let applies = { ours: false, everyones: false };
  let inRules = false;

  for (const { key, value } of records(text)) {
    if (key === 'user-agent') {
      if (inRules) applies = { ours: false, everyones: false };
      inRules = false;
      if (isEveryone(value)) applies.everyones = true;
      else if (namesToken(value, token)) {
        applies.ours = true;
        ours.named = true;
      }
    } else if (key === 'allow' || key === 'disallow') {
      inRules = true;
      if (value === '') continue;
      const rules = rulesOf(key, escaped(value));
      if (applies.ours) ours.rules.push(...rules);
      if (applies.everyones) everyones.rules.push(...rules);
    } else if (key === 'crawl-delay') {
      // Not in the RFC, so it ends no group and applies to the user agents above it.
      const seconds = Number(value);
      if (value === '' || !(seconds >= 0)) continue;
      if (applies.ours) ours.delay ??= seconds;
      if (applies.everyones) everyones.delay ??= seconds;
    } else if (key === 'sitemap' && value !== '') sitemaps.add(value);
  }

  const { rules, delay } = ours.named ? ours : everyones;
  return {
    allows: (url) => allowedBy(rules, pathOf(url)),
    crawlDelaySeconds: delay,
    sitemaps: [...sitemaps],
  };
}

/** A robots.txt that allows all: what a missing one means (RFC 9309 section 2.3.1.3). */
export const allowAll: Robots = { allows: () => true, crawlDelaySeconds: null, sitemaps: [] };

/** Bytes to text: UTF-8, or UTF-16 with a byte order mark; cut at `maxRobotsBytes`. */
export function decodeRobots(bytes: Uint8Array): string {
  const cut = bytes.subarray(0, maxRobotsBytes);
  const encoding =
    cut[0] === 0xff && cut[1] === 0xfe
      ? 'utf-16le'
      : cut[0] === 0xfe && cut[1] === 0xff
        ? 'utf-16be'
        : 'utf-8';
  return new TextDecoder(encoding).decode(cut);
}

/** The lines of a file with a directive; a byte order mark before the first may be incomplete. */
function* records(text: string): Iterable<{ key: string; value: string }> {
  for (const raw of withoutTags(text.replace(/^\uFEFF?\uFFFD?/, '')).split(/\r\n|\r|\n/)) {
    const line = raw.slice(0, maxLineLength).replace(/#.*/, '').trim();
    const parts = /^((?:user |site )?[^:\s]+)\s*:\s*(.*)$/i.exec(line) ?? /^(\S+)\s+(\S+)$/.exec(line);
    if (parts?.[1] === undefined) continue;
    yield { key: directive(parts[1].toLowerCase()), value: parts[2] ?? '' };
  }
}

/** A file that an editor wrote as HTML: its tags end lines. A page in place of the file has no directives in its lines. */
function withoutTags(text: string): string {
  if (!/^\s*<(?:!doctype|html|head|body|pre|p|div|span|br)\b/i.test(text)) return text;
  return text
    .replace(/<[^<>]{0,1000}>/g, '\n')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&amp;', '&');
}

/** As in Google's parser: a rule that allows an index page allows its folder too. */
function rulesOf(key: 'allow' | 'disallow', pattern: string): Rule[] {
  const rule = { allow: key === 'allow', pattern };
  const folder = rule.allow ? /^(.*\/)index\.html?$/.exec(pattern)?.[1] : undefined;
  return folder === undefined ? [rule] : [rule, { allow: true, pattern: `${folder}$` }];
}

/** The misspellings that Google's parser accepts, and others that only forbid more. */
function directive(key: string): string {
  if (/^(useragent|user agent|user_agent|user-agents|user-agnet|user-agen)$/.test(key)) return 'user-agent';
  if (/^(d[ie]s{1,2}-?al{1,2}ow(?:ed|s)?|diasllow|disallaw|disllow)$/.test(key)) return 'disallow';
  if (/^(site-map|site map)$/.test(key)) return 'sitemap';
  return key;
}

function isEveryone(agent: string): boolean {
  return /^\*(\s|$)/.test(agent);
}

/** Compares up to the first character that a product token cannot hold. */
function namesToken(agent: string, token: string): boolean {
  return (/^[a-z_-]*/i.exec(agent)?.[0] ?? '').toLowerCase() === token.toLowerCase();
}

function allowedBy(rules: readonly Rule[], path: string): boolean {
  let best: Rule | undefined;
  for (const rule of rules) {
    const { length } = rule.pattern;
    const bestLength = best?.pattern.length ?? -1;
    if (length < bestLength || (length === bestLength && !rule.allow)) continue;
    if (matches(rule.pattern, path)) best = rule;
  }
  return best?.allow ?? true;
}

/** Leftmost matching of the pieces between the stars, which is exact for this kind of pattern and never backtracks. */
function matches(pattern: string, path: string): boolean {
  const anchored = pattern.endsWith('$');
  const pieces = (anchored ? pattern.slice(0, -1) : pattern).split('*');
  const first = pieces.shift() ?? '';
  if (!path.startsWith(first)) return false;
  let position = first.length;
  if (pieces.length === 0) return !anchored || position === path.length;
  const last = anchored ? (pieces.pop() ?? '') : '';
  for (const piece of pieces) {
    const index = path.indexOf(piece, position);
    if (index < 0) return false;
    position = index + piece.length;
  }
  return !anchored || (path.length - last.length >= position && path.endsWith(last));
}

/** Path and query of a URL, from its text: parsing would encode characters that the rule has to compare. */
function pathOf(url: string): string {
  const afterHost = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*(.*)$/is.exec(url)?.[1] ?? url;
  const path = comparable(afterHost.replace(/#.*$/s, ''));
  return path.startsWith('/') ? path : `/${path}`;
}

function escaped(pattern: string): string {
  const ascii = pattern.replace(/\P{ASCII}+/gu, (characters) =>
    [...Buffer.from(characters)].map((byte) => `%${byte.toString(16)}`).join(''),
  );
  return comparable(ascii);
}

/** The one spelling of escapes in which paths are compared (RFC 9309 section 2.2.2). */
function comparable(path: string): string {
  return decodeUnreserved(path).replace(/%[0-9a-f]{2}/gi, (octet) => octet.toUpperCase());
}
