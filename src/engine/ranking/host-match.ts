import type { PageAddress } from '../../text/page-address.ts';

/**
 * Returns how well a page answers a query that is only the name of a site, 0 to 1; its front page is best. A name is
 * the host itself (`docs.python.org`) or one of its labels except the last (`python`), with any spacing.
 */
export function hostMatcher(text: string): (address: PageAddress) => number {
  const name = lettersAndDigits(text.toLowerCase());
  const known = new Map<string, boolean>();
  const isName = (hostname: string): boolean => {
    const host = hostname.replace(/^www\./, '');
    return [...host.split('.').slice(0, -1), host].some((label) => lettersAndDigits(label) === name);
  };
  return ({ hostname, pathname }) => {
    if (name.length < 2 || name.length > hostname.length) return 0;
    const isNamed = known.get(hostname) ?? isName(hostname);
    known.set(hostname, isNamed);
    if (!isNamed) return 0;
    const depth = pathname.split('/').filter((segment) => segment !== '').length;
    return 1 / (1 + 2 * depth);
  };
}

/** Returns the test whether a query of several words also names the host of a page: `python gather exceptions` and `docs.python.org`. */
export function hostNamer(text: string): (host: string) => boolean {
  const words: readonly string[] = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const known = new Map<string, boolean>();
  return (host) => {
    if (words.length < 2) return false;
    let isNamed = known.get(host);
    if (isNamed === undefined) {
      const labels = host.split('.').slice(0, -1);
      isNamed = labels.some((label) => words.includes(label));
      known.set(host, isNamed);
    }
    return isNamed;
  };
}

function lettersAndDigits(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '');
}
