import { foldForComparison } from './clean-text.ts';

export interface TitleEvidence {
  /** `<title>`, one line, or empty. */
  readonly titleTag: string;
  /** Level-one headings that are not the site's own name, in order. */
  readonly headings: readonly string[];
  /** What else the page calls itself: og:title, JSON-LD headline; the most telling first. */
  readonly names: readonly string[];
  readonly siteName: string | null;
  readonly host: string;
}

export interface Title {
  readonly title: string;
  /** The part of `<title>` that turned out to name the site. */
  readonly site: string | null;
}

const separator =
  /\s+[|\-–—:·•»«›/\\>~+‹]+\s+|\s*[|｜│ǀ]\s*|(?<=\p{Script=Han})[_\-－—](?=[\p{Script=Han}\w])|_(?=\p{Script=Han})|\s+::\s+|\s*»\s*|:\s+/gu;
const leadingSeparator = /[|｜»«·•—–_~]|::/;
const maxHeading = 200;
/** Share of the words of a heading that `<title>` has to hold before the two count as the same name. */
const minShared = 0.5;

/**
 * What the page calls itself, without the site's part. The one visible heading that says the same as `<title>` or
 * another name of the page wins, since that is what a reader sees; else the side of `<title>` that another name
 * confirms or that is left beside a known site name; else `<title>` as it stands.
 */
export function pageTitle({ titleTag, headings, names, siteName, host }: TitleEvidence): Title {
  const isSite = createSiteTest(siteName, host);
  const known = names.filter((name) => name !== '' && !isSite(foldForComparison(name)));
  const visible = headings.filter(
    (heading) => heading.length <= maxHeading && !isSite(foldForComparison(heading)),
  );
  if (titleTag === '') return { title: visible[0] ?? known[0] ?? '', site: null };
  const whole = foldForComparison(titleTag);
  for (const name of [...visible, ...known]) {
    const folded = foldForComparison(name);
    const side = folded === '' || folded === whole ? null : sideOf(titleTag, folded);
    if (side !== null) return side;
  }
  const stripped = withoutSite(titleTag, isSite) ?? { title: titleTag, site: null };
  const heading = visible.find((text) => [stripped.title, ...known].some((name) => sharesWords(text, name)));
  if (heading !== undefined) return { title: heading, site: stripped.site };
  const name = known.find((text) => sharesWords(text, stripped.title));
  return name === undefined ? stripped : (withoutSite(name, isSite) ?? { title: name, site: stripped.site });
}

function sharesWords(heading: string, name: string): boolean {
  const words = wordsOf(heading);
  const others = new Set(wordsOf(name));
  const shared = words.filter((word) => others.has(word)).length;
  return words.length > 0 && shared >= words.length * minShared;
}

/** Words for comparison; Han, kana and hangul one by one. */
function wordsOf(text: string): string[] {
  return (
    foldForComparison(text).match(
      /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\s\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+/g,
    ) ?? []
  );
}

/** The side of one of the title's separators that reads as `folded`. */
function sideOf(titleTag: string, folded: string): Title | null {
  for (const match of titleTag.matchAll(separator)) {
    const { left, right } = sides(titleTag, match);
    if (foldForComparison(left) === folded) return { title: left, site: right };
    if (foldForComparison(right) === folded) return { title: right, site: left };
  }
  return null;
}

/** Takes a known site name off either end. */
function withoutSite(titleTag: string, isSite: (folded: string) => boolean): Title | null {
  const matches = [...titleTag.matchAll(separator)];
  for (const match of matches.toReversed()) {
    const { left, right } = sides(titleTag, match);
    if (left !== '' && isSite(foldForComparison(right))) return { title: left, site: right };
  }
  const first = matches[0];
  if (first === undefined || !leadingSeparator.test(first[0])) return null;
  const { left, right } = sides(titleTag, first);
  return right !== '' && isSite(foldForComparison(left)) ? { title: right, site: left } : null;
}

function sides(titleTag: string, match: RegExpExecArray): { left: string; right: string } {
  return {
    left: titleTag.slice(0, match.index).trim(),
    right: titleTag.slice(match.index + match[0].length).trim(),
  };
}

function createSiteTest(siteName: string | null, host: string): (folded: string) => boolean {
  const bare = host.replace(/^www\./, '');
  const labels = new Set(
    [bare, bare.split('.').at(-2), bare.split('.').at(-3), bare.split('.')[0], siteName].map((name) =>
      squeeze(name ?? ''),
    ),
  );
  labels.delete('');
  return (folded) => squeeze(folded).length >= 2 && labels.has(squeeze(folded));
}

const squeeze = (text: string) => foldForComparison(text).replace(/\s+/g, '');
