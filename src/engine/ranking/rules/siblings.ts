import type { RankedHead } from '../../../index/page-marks.ts';
import { addressOf } from '../../page-address.ts';

/** Factor of an older version of a page, or of one in another language, if a better sibling is among the hits. */
export const siblingFactor = 0.7;

/** A page as one of several versions or languages of the same page. */
interface Edition {
  /** The address without the segments that name version and language. */
  readonly page: string;
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
  heads: readonly RankedHead[],
  { text, lang }: { readonly text: string; readonly lang: string },
): number[] {
  const editions = heads.map(editionOf);
  const namedVersions = new Set(text.toLowerCase().split(/\s+/));
  const groups = new Map<string, number[]>();
  for (const [index, { page }] of editions.entries()) {
    const group = groups.get(page);
    if (group) group.push(index);
    else groups.set(page, [index]);
  }
  const isBetter = (one: number, other: number): boolean => {
    const [a, b] = [editions[one] as Edition, editions[other] as Edition];
    const [head, otherHead] = [heads[one] as RankedHead, heads[other] as RankedHead];
    if (head.lang !== otherHead.lang) return head.lang === lang;
    return nameOf(head) === nameOf(otherHead) && compareVersions(a, b, namedVersions) > 0;
  };
  return editions.map(({ page }, index) => {
    const others = groups.get(page) ?? [];
    return others.some((other) => other !== index && isBetter(other, index)) ? siblingFactor : 1;
  });
}

function editionOf({ url, lang }: RankedHead): Edition {
  const { host, pathname, search } = addressOf(url);
  if (!anyInPath.test(pathname)) return { page: `${host}${pathname}${search}`, ...noVersion };
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
    page: `${host}${rest.join('/')}${search}`,
    version: isReleased ? (versionName ?? '').replace(/^v/, '').split('.').map(Number) : [],
    isUnreleased: versionName !== undefined && unreleased.test(versionName),
    versionName,
  };
}

const noVersion = { version: [], isUnreleased: false, versionName: undefined };

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
