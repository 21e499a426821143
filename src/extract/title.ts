import { foldForComparison } from './clean-text.ts';

export interface TitleEvidence {
  /** `<title>`, one line, or empty. */
  readonly titleTag: string;
  /** What else the page calls itself: h1s, og:title, JSON-LD headline; the most telling first. */
  readonly names: readonly string[];
  readonly siteName: string | null;
  readonly host: string;
}

export interface Title {
  readonly title: string;
  /** The part of the title that turned out to name the site. */
  readonly site: string | null;
}

const separator =
  /\s+[|\-–—:·•»«/\\>~+]+\s+|\s*[|｜]\s*|(?<=\p{Script=Han})[_\-－—](?=[\p{Script=Han}\w])|_(?=\p{Script=Han})|\s+::\s+|\s*»\s*|:\s+/gu;
const strongSeparator = /[|｜»«·•—–_~]|::/;

/**
 * The title without the site's part, where the page shows which part is which: another name of the page, or a site name
 * that is known, equals one side of a separator. A title that nothing else confirms stays as it is.
 */
export function pageTitle({ titleTag, names, siteName, host }: TitleEvidence): Title {
  const known = names.filter((name) => name !== '');
  if (titleTag === '') return { title: known[0] ?? '', site: null };
  const isSite = createSiteTest(siteName, host);
  const whole = foldForComparison(titleTag);
  if (known.some((name) => foldForComparison(name) === whole && !isSite(whole))) {
    const stripped = withoutSite(titleTag, isSite);
    const h1 = foldForComparison(known[0] ?? '');
    if (stripped === null || h1 === whole) return { title: titleTag, site: null };
    return stripped;
  }
  for (const name of known) {
    const folded = foldForComparison(name);
    if (folded === '' || isSite(folded)) continue;
    const side = sideOf(titleTag, folded);
    if (side !== null) return side;
  }
  const stripped = withoutSite(titleTag, isSite);
  return stripped ?? { title: titleTag, site: null };
}

/** The side of one of the title's separators that reads as `folded`. */
function sideOf(titleTag: string, folded: string): Title | null {
  for (const match of titleTag.matchAll(separator)) {
    const left = titleTag.slice(0, match.index).trim();
    const right = titleTag.slice(match.index + match[0].length).trim();
    if (foldForComparison(left) === folded) return { title: left, site: right };
    if (foldForComparison(right) === folded) return { title: right, site: left };
  }
  return null;
}

/** Takes a known site name off either end. */
function withoutSite(titleTag: string, isSite: (folded: string) => boolean): Title | null {
  const matches = [...titleTag.matchAll(separator)];
  for (const match of matches.reverse()) {
    const left = titleTag.slice(0, match.index).trim();
    const right = titleTag.slice(match.index + match[0].length).trim();
    if (left !== '' && isSite(foldForComparison(right)))
      return { title: withoutSite(left, isSite)?.title ?? left, site: right };
  }
  const first = matches.at(-1);
  if (first !== undefined && strongSeparator.test(first[0])) {
    const left = titleTag.slice(0, first.index).trim();
    const right = titleTag.slice(first.index + first[0].length).trim();
    if (right !== '' && isSite(foldForComparison(left))) return { title: right, site: left };
  }
  return null;
}

function createSiteTest(siteName: string | null, host: string): (folded: string) => boolean {
  const site = siteName === null ? '' : foldForComparison(siteName);
  const bare = host.replace(/^www\./, '');
  const label = squeeze(bare.split('.').at(-2) ?? '');
  const labels = new Set([label, squeeze(bare), squeeze(bare.split('.')[0] ?? '')]);
  return (folded) =>
    folded !== '' && (folded === site || (squeeze(folded).length >= 3 && labels.has(squeeze(folded))));
}

const squeeze = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
