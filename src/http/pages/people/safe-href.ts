/** The address, if a browser may follow it: a page could name a script in its place. */
export function safeHref(url: string): string | undefined {
  return /^https?:/i.test(url) ? url : undefined;
}
