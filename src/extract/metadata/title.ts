import { foldForComparison } from '../../text/line/fold-for-comparison.ts';
import { chineseTitle } from './chinese-title.ts';
import { createSiteTest } from './site-name.ts';

export interface TitleEvidence {
  /** `<title>`, one line, or empty. */
  readonly titleTag: string;
  /** Level-one headings that are not the site's logo, in order. */
  readonly headings: readonly string[];
  /** Headings of the next levels, in order. */
  readonly subheadings: readonly string[];
  /** Level-one headings that lead to the site's root. */
  readonly logos: readonly string[];
  /** Other names of the page: og:title, JSON-LD headline; the most reliable first. */
  readonly names: readonly string[];
  readonly siteName: string | null;
  readonly host: string;
}

export interface Title {
  readonly title: string;
  /** Other possible titles, the most likely first; used when most pages of the host have the same title. */
  readonly others: readonly string[];
  /** The part of `<title>` that turned out to name the site. */
  readonly site: string | null;
}

/** A part of `<title>` as the title, with the rest as the site. */
type Part = Omit<Title, 'others'>;

const separator =
  /\s+[|\-–—:·•»«›/\\>~+‹]+\s+|\s*[|｜│ǀ]\s*|(?<=\p{Script=Han})[_\-－—](?=[\p{Script=Han}\w])|_(?=\p{Script=Han})|\s+::\s+|\s*»\s*|:\s+/gu;
const leadingSeparator = /[|｜»«·•—–_~]|::/;
const maxHeading = 200;
/** Titles with more parts are lists of keywords. */
const maxParts = 12;
/** Minimum share of a heading's words in `<title>` for the two to be the same name. */
const minShared = 0.5;

/**
 * The title of a page, without the site's name. In this order: a visible heading that `<title>` or another name confirms;
 * the part of `<title>` that a lower heading or another name confirms; `<title>` without a known site name; `<title>`
 * unchanged.
 */
export function pageTitle(evidence: TitleEvidence): Title {
  const { headings, logos } = evidence;
  const heading = headingOfSite(evidence);
  const chosen = chooseTitle(
    heading === undefined
      ? evidence
      : { ...evidence, headings: headings.filter((text) => text !== heading), logos: [...logos, heading] },
  );
  return { ...chosen, others: otherTitles(evidence, chosen) };
}

/**
 * A level-one heading that names the site: `<title>` ends with it and begins with another heading, or begins with it
 * and ends with the next heading.
 */
function headingOfSite({ titleTag, headings, subheadings }: TitleEvidence): string | undefined {
  const fold = foldForComparison;
  const outerParts = [...titleTag.matchAll(separator)].slice(0, maxParts).map((match) => {
    const { left, right } = sides(titleTag, match);
    return { left: fold(left), right: fold(right) };
  });
  return headings.find((heading, index) => {
    const others = [...headings.toSpliced(index, 1), ...subheadings].map(fold);
    const next = [headings[index + 1], subheadings[0]].map((text) => fold(text ?? ''));
    const own = fold(heading);
    return outerParts.some(
      ({ left, right }) =>
        left !== '' &&
        right !== '' &&
        ((right === own && others.some((other) => other === left || isCoreOf(left, other))) ||
          (left === own && next.includes(right))),
    );
  });
}

const maxOthers = 3;

/** The other parts of `<title>` and the first headings, without the title and without duplicates. */
function otherTitles({ titleTag, headings, subheadings, names }: TitleEvidence, { title }: Part): string[] {
  const parts = [...partsOf(titleTag).values()]
    .filter(({ title: text }) => !text.includes(title) && !title.includes(text))
    .map(({ title: text }) => text);
  const folded = new Set([foldForComparison(title), '']);
  return [...headings, ...names, ...parts, ...subheadings]
    .filter((text) => text.length <= maxHeading && isNew(folded, foldForComparison(text)))
    .slice(0, maxOthers);
}

function isNew(seen: Set<string>, text: string): boolean {
  const before = seen.size;
  return seen.add(text).size > before;
}

function chooseTitle(evidence: TitleEvidence): Part {
  const { titleTag, headings, subheadings, logos, names, siteName, host } = evidence;
  const isSite = createSiteTest([siteName, ...logos], host);
  const isName = (text: string) => text !== '' && text.length <= maxHeading && !isSite.exactly(text);
  const visible = headings.filter(isName);
  const otherNames = names.filter((text) => text !== '' && !isSite.exactly(text));
  if (titleTag === '') return { title: visible[0] ?? otherNames[0] ?? '', site: null };
  const whole = foldForComparison(titleTag);
  const stripped = withoutSite(titleTag, isSite) ?? chineseTitle(titleTag) ?? { title: titleTag, site: null };
  const parts = partsOf(titleTag);

  for (const heading of visible) {
    if (foldForComparison(heading) === whole) return stripped;
    const part = parts.get(foldForComparison(heading));
    if (part !== undefined) return part;
  }
  const foldedNames = new Set(otherNames.map(foldForComparison));
  const confirmed = visible.find((heading) => foldedNames.has(foldForComparison(heading)));
  if (confirmed !== undefined) return { title: confirmed, site: stripped.site };
  const qualified = visible.find((heading) => holdsUnqualified(heading, stripped.title));
  if (qualified !== undefined) return { title: qualified, site: stripped.site };
  const stems = [stripped.title, ...otherNames];
  for (const heading of visible) {
    const core = stems.find((stem) => isCoreOf(stem, heading));
    if (core !== undefined) return { title: core, site: stripped.site };
  }
  const alike = visible.find((heading) => stems.some((stem) => sharesWords(heading, stem)));
  if (alike !== undefined) return { title: alike, site: stripped.site };
  for (const text of [
    ...subheadings.filter((heading) => isName(heading) && tellsMuch(heading)),
    ...otherNames,
  ]) {
    const folded = foldForComparison(text);
    const part = folded === whole ? stripped : parts.get(folded);
    if (part !== undefined) return part;
  }
  const name = otherNames.find((text) => sharesWords(text, stripped.title));
  return name === undefined ? stripped : (withoutSite(name, isSite) ?? { title: name, site: stripped.site });
}

/** Maximum extra words of a heading around the name in `<title>`: a kind, the parameters of a type. */
const maxBeyondName = 8;

/** Whether a heading contains a name that `<title>` qualifies in parentheses, as Javadoc does. */
function holdsUnqualified(heading: string, name: string): boolean {
  const bare = /^(.*\S)\s*\([^()]+\)$/u.exec(name)?.[1];
  if (bare === undefined) return false;
  const words = wordsOf(heading);
  const inner = wordsOf(bare);
  return (
    ` ${words.join(' ')} `.includes(` ${inner.join(' ')} `) && words.length <= inner.length + maxBeyondName
  );
}

/** A single word may be anything: a menu entry, a section. */
function tellsMuch(text: string): boolean {
  return wordsOf(text).length >= 2;
}

/** Whether a heading is this name with something before or after it: a kicker, a date, a counter. */
function isCoreOf(name: string, heading: string): boolean {
  const inner = foldForComparison(name);
  const outer = foldForComparison(heading);
  if (inner === outer || !tellsMuch(name) || wordsOf(name).length < wordsOf(heading).length * minShared)
    return false;
  return outer.endsWith(` ${inner}`) || outer.startsWith(`${inner} `);
}

function sharesWords(heading: string, name: string): boolean {
  const words = wordsOf(heading);
  const others = new Set(wordsOf(name));
  const shared = words.filter((word) => others.has(word)).length;
  return words.length > 0 && shared >= words.length * minShared;
}

/** Words for comparison; each character of Han, kana and hangul is one. */
function wordsOf(text: string): string[] {
  return (
    foldForComparison(text).match(
      /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\s\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+/g,
    ) ?? []
  );
}

/** Every run of parts except the whole, by its folded text; the site is the rest at its right, otherwise at its left. */
function partsOf(titleTag: string): ReadonlyMap<string, Part> {
  const matches = [...titleTag.matchAll(separator)].slice(0, maxParts);
  const starts = [0, ...matches.map((match) => match.index + match[0].length)];
  const ends = [...matches.map(({ index }) => index), titleTag.length];
  const parts = new Map<string, Part>();
  for (const [first, start] of starts.entries()) {
    for (let last = first; last < ends.length; last++) {
      if (first === 0 && last === ends.length - 1) continue;
      const title = titleTag.slice(start, ends[last]).trim();
      const right = titleTag.slice(starts[last + 1] ?? titleTag.length).trim();
      const left = titleTag.slice(0, ends[first - 1] ?? 0).trim();
      const folded = foldForComparison(title);
      if (folded !== '' && !parts.has(folded)) parts.set(folded, { title, site: right || left || null });
    }
  }
  return parts;
}

/** Removes a known site name from either end; at the right end also a part that contains the host's name. */
function withoutSite(titleTag: string, isSite: ReturnType<typeof createSiteTest>): Part | null {
  const matches = [...titleTag.matchAll(separator)].slice(-maxParts);
  for (const match of matches.toReversed()) {
    const { left, right } = sides(titleTag, match);
    if (left !== '' && isSite.exactly(right)) return { title: left, site: right };
  }
  const last = matches.at(-1);
  if (last !== undefined && !last[0].startsWith(':')) {
    const { left, right } = sides(titleTag, last);
    if (left !== '' && isSite.likely(right)) return { title: left, site: right };
  }
  const first = matches[0];
  if (first === undefined || !leadingSeparator.test(first[0])) return null;
  const { left, right } = sides(titleTag, first);
  return right !== '' && isSite.exactly(left) ? { title: right, site: left } : null;
}

function sides(titleTag: string, match: RegExpExecArray): { left: string; right: string } {
  return {
    left: titleTag.slice(0, match.index).trim(),
    right: titleTag.slice(match.index + match[0].length).trim(),
  };
}
