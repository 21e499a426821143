/**
 * Whether two hosts belong to one site: they are equal or one is a subdomain of the other, without a leading `www.`.
 * A shared registrable domain is not enough: without the public suffix list, unrelated sites of one domain would count.
 */
export function isSameSite(one: string, other: string): boolean {
  const [a, b] = [one.replace(/^www\./, ''), other.replace(/^www\./, '')];
  return a === b || a.endsWith(`.${b}`) || b.endsWith(`.${a}`);
}
