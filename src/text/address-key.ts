/**
 * What the spellings of one address have in common: a canonical URL without its scheme and `www.`, which sites spell in
 * every way and hardly ever mean anything by.
 */
export function addressKey(canonicalUrl: string): string {
  return canonicalUrl.replace(/^https?:\/\/(?:www\.)?/, '');
}
