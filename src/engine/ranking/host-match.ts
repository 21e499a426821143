/**
 * How well a page answers a query that is nothing but the name of a site, from 0 to 1: its front page best. A name is
 * the host itself (`docs.python.org`) or one of its labels but the last (`python`), however it is spaced.
 */
export function hostMatch(url: string, text: string): number {
  const name = text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  if (name.length < 2) return 0;
  const { hostname, pathname } = new URL(url);
  const host = hostname.replace(/^www\./, '');
  const names = [...host.split('.').slice(0, -1), host].map((label) => label.replace(/[^\p{L}\p{N}]/gu, ''));
  if (!names.includes(name)) return 0;
  const depth = pathname.split('/').filter((segment) => segment !== '').length;
  return 1 / (1 + 2 * depth);
}

/** Whether a question for something else names the host of a page too: `python gather exceptions` and `docs.python.org`. */
export function namesHost(host: string, text: string): boolean {
  const words: readonly string[] = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return (
    words.length > 1 &&
    host
      .split('.')
      .slice(0, -1)
      .some((label) => words.includes(label))
  );
}
