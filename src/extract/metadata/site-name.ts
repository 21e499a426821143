import { foldForComparison } from '../../text/line/fold-for-comparison.ts';

const minLabel = 4;

export interface SiteTest {
  /** The text is a name of the site: one that the page tells, or the host's. */
  exactly(text: string): boolean;
  /** The text has the host's name in it, is in it, or abbreviates to it. */
  likely(text: string): boolean;
}

/** Tells names of a site, by what the page calls it and by its host. */
export function createSiteTest(names: readonly (string | null)[], host: string): SiteTest {
  const bare = host.replace(/^www\./, '');
  const hostLabels = [bare.split('.').at(-2), bare.split('.').at(-3), bare.split('.')[0]]
    .map((label) => squeeze(label ?? ''))
    .filter((label) => label.length >= 2);
  const siteNames = new Set([bare, ...names].map((name) => squeeze(name ?? '')).concat(hostLabels));
  siteNames.delete('');
  const telling = hostLabels.filter((label) => label.length >= minLabel);

  function exactly(text: string): boolean {
    const name = squeeze(text);
    return name.length >= 2 && siteNames.has(name);
  }
  return {
    exactly,
    likely(text) {
      if (exactly(text)) return true;
      const name = squeeze(text);
      const initials = foldForComparison(text)
        .split(' ')
        .map((word) => word.charAt(0))
        .join('');
      return telling.some(
        (label) =>
          name.includes(label) || (name.length >= minLabel && label.includes(name)) || initials === label,
      );
    },
  };
}

const squeeze = (text: string) => foldForComparison(text).replace(/\s+/g, '');
