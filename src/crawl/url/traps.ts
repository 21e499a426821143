export interface DiscoveredLink {
  /** Canonical. */
  readonly url: string;
  /** The page that has the link. */
  readonly from: string;
  /** Links away from a seed. */
  readonly depth: number;
}

/** Reasons, in the words of the summary. */
export const trapReasons = {
  deep: 'trap: too many folders',
  repeating: 'trap: folders that repeat',
  calendar: 'trap: a date far in the future',
  chain: 'trap: a chain of pages of one kind',
} as const;

const maxFolders = 25;
/** Maximum repetitions in a row of one or several folders in a path. */
const maxRepeats = 2;
/** Maximum folders in the sequence that repeats. */
const maxPeriod = 4;
/** Maximum depth of pages that link to the next page of their kind: longer lists are calendars and the like. */
const maxChain = 200;
/** A date may be this many years in the future: events are announced in advance. */
const maxYearsAhead = 1;

/** Why a link leads into an endless space of generated pages; null for all other links. Looks at URLs only. */
export function trapOf({ url, from, depth }: DiscoveredLink, now: number): string | null {
  const { pathname, search } = new URL(url);
  const folders = pathname.split('/').slice(1, -1);
  if (folders.length > maxFolders) return trapReasons.deep;
  if (repeats(pathname.split('/').slice(1))) return trapReasons.repeating;
  if (latestYear(pathname + search) > new Date(now).getUTCFullYear() + maxYearsAhead)
    return trapReasons.calendar;
  if (depth > maxChain && kindOf(url) === kindOf(from)) return trapReasons.chain;
  return null;
}

/** Whether the same folders come three times in a row: relative links that a server answers at any depth. */
function repeats(segments: readonly string[]): boolean {
  for (let period = 1; period <= maxPeriod; period++) {
    let alike = 0;
    for (let index = period; index < segments.length; index++) {
      const segment = segments[index] as string;
      // Dates and versions have equal numbers in a row: /11/11/11, /1/1/1.
      alike = segment === segments[index - period] && !/^\d{0,2}$/.test(segment) ? alike + 1 : 0;
      if (alike >= period * maxRepeats) return true;
    }
  }
  return false;
}

/** The latest year of a month or a day in a path or query, `2031/05`, `month=2031-05`, `year=2031`; 0 without one. */
function latestYear(text: string): number {
  let latest = 0;
  for (const [, year = '', parameter = ''] of text.matchAll(
    /(?<![\d.])(2[01]\d\d)[-/_.]?(?:0[1-9]|1[0-2])(?:[-/_.]?[0-3]\d)?(?!\d)|[?&]y(?:ea)?r?=(2[01]\d\d)(?!\d)/gi,
  )) {
    latest = Math.max(latest, Number(year), Number(parameter));
  }
  return latest;
}

/** A URL without its numbers and the values of its parameters. */
function kindOf(url: string): string {
  const { origin, pathname, searchParams } = new URL(url);
  return `${origin}${pathname.replace(/\d+/g, '0')}?${[...new Set(searchParams.keys())].sort().join('&')}`;
}
