/**
 * Whether two hosts belong to one site: equal, or one below the other, a leading `www.` aside. Hosts that only share
 * a registrable domain do not count: without the public suffix list, neighbours on a shared domain would.
 */
export function isSameSite(one: string, other: string): boolean {
  const [a, b] = [one.replace(/^www\./, ''), other.replace(/^www\./, '')];
  return a === b || a.endsWith(`.${b}`) || b.endsWith(`.${a}`);
}
