import { type HtmlTree, hasAncestor } from './main-text/tree.ts';

/** A page that sends its readers on after more seconds than this means them to read it first. */
const maxForwardSeconds = 1;
/** A page with more words says something itself: what it sends readers on for may be a cookie or a script. */
const maxForwardWords = 100;

/** `0; url='/there'`, in the forms that browsers take (HTML Standard, shared declarative refresh steps). */
const refresh = /^\s*(\d+)[\d.]*(?:\s*[;,]\s*|\s+)(?:url\s*=\s*)?(?:"([^"]*)"?|'([^']*)'?|(\S.*))$/i;

/**
 * Where a page without a text of its own sends its readers at once by `<meta http-equiv="refresh">`: an absolute URL
 * without fragment, or null. One in `noscript` is not for readers with scripts, and one to itself is none.
 */
export function forwardTarget(
  tree: HtmlTree,
  page: { readonly url: string; readonly base: string },
  wordCount: () => number,
): string | null {
  const sent = tree.byTag
    .get('meta')
    ?.find(
      (meta) =>
        meta.attributes['http-equiv']?.trim().toLowerCase() === 'refresh' &&
        !hasAncestor(meta, ({ tag }) => tag === 'noscript'),
    );
  const [, seconds, ...forms] = refresh.exec(sent?.attributes.content ?? '') ?? [];
  const reference = forms.find((form) => form !== undefined)?.trim();
  if (reference === undefined || Number(seconds) > maxForwardSeconds || !URL.canParse(reference, page.base))
    return null;
  const target = withoutFragment(reference, page.base);
  return target !== withoutFragment(page.url) && wordCount() <= maxForwardWords ? target : null;
}

function withoutFragment(url: string, base?: string): string {
  const parsed = new URL(url, base);
  parsed.hash = '';
  return parsed.href;
}
