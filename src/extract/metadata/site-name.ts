import { foldForComparison } from '../../text/line/fold-for-comparison.ts';

const minLabel = 4;

export interface SiteTest {
  /** The text is a name of the site: one from the page, or the host's. */
  exactly(text: string): boolean;
  /** The text contains the host's name, is part of it, or has it as its initials. */
  likely(text: string): boolean;
}

/** Recognizes names of a site, by the names in the page and by its host. */
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
