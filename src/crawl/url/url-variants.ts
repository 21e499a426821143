/** File names that servers send for a folder. */
const indexPages = ['index.html', 'index.htm', 'index.php', 'index.xhtml', 'index.shtml', 'default.aspx'];

/**
 * The other URLs that a page may have: with and without a slash at the end, and as the index page of its folder. `/a/`
 * may also be `/a` and `/a/index.html`. Only their contents show whether they are one page.
 */
export function otherForms(url: string): string[] {
  const parsed = new URL(url);
  const { pathname } = parsed;
  const last = pathname.slice(pathname.lastIndexOf('/') + 1);
  const isIndex = indexPages.includes(last.toLowerCase());
  if (last.includes('.') && !isIndex) return [];
  const folder = isIndex ? pathname.slice(0, -last.length) : last === '' ? pathname : `${pathname}/`;
  const paths = [folder, folder.slice(0, -1), ...indexPages.map((page) => folder + page)];
  return paths
    .filter((path) => path !== '' && path !== pathname)
    .map((path) => {
      parsed.pathname = path;
      return parsed.href;
    });
}
