import type { RankedHead } from '../../../index/page-marks.ts';
import type { LocatedPage } from '../located-page.ts';

/** Factor of an older version of a page, or of one in another language, if a better sibling is among the hits. */
export const siblingFactor = 0.7;

/** A page as one of several versions or languages of the same page. */
interface Edition {
  /** The path without the segments that name version and language. */
  readonly path: string;
  /** The numbers of a released version; empty if the address names no version, or the current one. */
  readonly version: readonly number[];
  readonly isUnreleased: boolean;
  /** As the address spells it. */
  readonly versionName: string | undefined;
}

const released = /^v?\d{1,3}(?:\.(?:\d{1,3}|x))*$/i;
const current = /^(?:latest|stable|current|lts)$/i;
const unreleased = /^(?:dev|devel|develop|main|master|next|nightly|unstable)$/i;
const language = /^[a-z]{2}(?:[-_][a-z]{2,4})?$/i;
/** Any of these in a path. Most paths have none. */
const anyInPath =
  /\/(?:v?\d|[a-z]{2}[-_/]|(?:latest|stable|current|lts|dev|devel|develop|main|master|next|nightly|unstable)\/)/i;
/** Names of numbers that are not versions: `/page/2/`. */
const counts = /^(?:p|page|pages|part|vol|issue)$/i;

/**
 * The factor of each page: below 1 if another one among them is a newer version of it, or is in the language of the query.
 * Examples are `/3.9/library/os.html` with `/3/library/os.html`, and `/ja/guide/` with `/guide/`. A version that the query
 * names counts as the newest. Pages with one title are versions of each other, and those whose address names their
 * language are translations.
 */
export function siblingFactors(
  pages: readonly LocatedPage[],
  { text, lang }: { readonly text: string; readonly lang: string },
): number[] {
  const editions = pages.map(editionOf);
  const factors = pages.map(() => 1);
  const namedVersions = new Set(text.toLowerCase().split(/\s+/));
  const groups = new Map<string, number[]>();
  for (const [index, { path }] of editions.entries()) {
    const group = groups.get(path);
    if (group) group.push(index);
    else groups.set(path, [index]);
  }
  const isBetter = (one: number, other: number): boolean => {
    const [a, b] = [editions[one] as Edition, editions[other] as Edition];
    const { head, address } = pages[one] as LocatedPage;
    const { head: otherHead, address: otherAddress } = pages[other] as LocatedPage;
    if (address.host !== otherAddress.host || address.search !== otherAddress.search) return false;
    if (head.lang !== otherHead.lang) return head.lang === lang;
    return nameOf(head) === nameOf(otherHead) && compareVersions(a, b, namedVersions) > 0;
  };
  for (const group of groups.values()) {
    if (group.length === 1) continue;
    for (const index of group)
      if (group.some((other) => other !== index && isBetter(other, index))) factors[index] = siblingFactor;
  }
  return factors;
}

function editionOf({ head: { lang }, address: { pathname } }: LocatedPage): Edition {
  if (!anyInPath.test(pathname))
    return { path: pathname, version: noVersion, isUnreleased: false, versionName: undefined };
  const segments = pathname.split('/');
  let versionName: string | undefined;
  const rest = segments.filter((segment, index) => {
    if (index === segments.length - 1) return true;
    if (language.test(segment) && segment.slice(0, 2).toLowerCase() === lang) return false;
    const isVersion = released.test(segment) || current.test(segment) || unreleased.test(segment);
    if (!isVersion || versionName !== undefined || counts.test(segments[index - 1] ?? '')) return true;
    versionName = segment.toLowerCase();
    return false;
  });
  const isReleased = versionName !== undefined && released.test(versionName);
  return {
    path: rest.join('/'),
    version: isReleased ? (versionName ?? '').replace(/^v/, '').split('.').map(Number) : [],
    isUnreleased: versionName !== undefined && unreleased.test(versionName),
    versionName,
  };
}

const noVersion: readonly number[] = [];

/** Above 0 if the first is newer. A version with fewer numbers is the newest of those that begin with them. */
function compareVersions(a: Edition, b: Edition, namedVersions: ReadonlySet<string>): number {
  const isNamed = ({ versionName }: Edition) =>
    versionName !== undefined &&
    (namedVersions.has(versionName) || namedVersions.has(versionName.replace(/^v/, '')));
  if (isNamed(a) !== isNamed(b)) return isNamed(a) ? 1 : -1;
  if (a.isUnreleased !== b.isUnreleased) return a.isUnreleased ? -1 : 1;
  for (let index = 0; index < Math.max(a.version.length, b.version.length); index++) {
    const [one, other] = [newestOf(a.version[index]), newestOf(b.version[index])];
    if (one !== other) return one > other ? 1 : -1;
  }
  return 0;
}

/** Infinity for the missing second number of `3.x` and of `3`. */
function newestOf(number: number | undefined): number {
  return number === undefined || Number.isNaN(number) ? Number.POSITIVE_INFINITY : number;
}

/** A title without the numbers of its version. */
function nameOf({ title }: RankedHead): string {
  return title.toLowerCase().replace(/[\d.]+/g, '');
}
