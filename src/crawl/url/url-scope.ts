import { globMatches } from './glob.ts';

export interface UrlScopeOptions {
  /** A URL must match one of these globs; without any, every URL does. */
  readonly include?: readonly string[];
  /** A URL must match none of these globs. */
  readonly exclude?: readonly string[];
  /** Canonical URLs; with `samePath`, only URLs in the folder of one of them are in scope. */
  readonly seeds: readonly string[];
  readonly samePath?: boolean;
}

/** Whether a canonical URL is in the scope of a crawl. */
export type UrlScope = (url: string) => boolean;

/**
 * The URLs of a host that a crawl visits. A glob that begins with `/` is matched with the path, with and without the
 * query; one with a scheme with the whole URL; any other with the text after any `/` of the URL, so that `*.pdf`,
 * `blog/*` and `example.com/blog/*` mean what a user expects.
 */
export function createUrlScope(options: UrlScopeOptions): UrlScope {
  const { include = [], exclude = [], seeds, samePath = false } = options;
  if (include.length === 0 && exclude.length === 0 && !samePath) return () => true;
  const folders = samePath ? seeds.map(folderOf) : [];
  return (url) => {
    const forms = formsOf(url);
    const matches = (glob: string): boolean => matchesUrl(glob, forms);
    if (include.length > 0 && !include.some(matches)) return false;
    if (exclude.some(matches)) return false;
    return !samePath || folders.some((folder) => isWithin(folder, forms));
  };
}

interface UrlForms {
  readonly href: string;
  readonly origin: string;
  readonly path: string;
  /** With the query. */
  readonly fullPath: string;
  /** The host, then everything after it. */
  readonly bare: string;
}

function formsOf(url: string): UrlForms {
  const { href, origin, host, pathname, search } = new URL(url);
  return { href, origin, path: pathname, fullPath: pathname + search, bare: host + pathname + search };
}

function matchesUrl(glob: string, { href, path, fullPath, bare }: UrlForms): boolean {
  if (glob.includes('://')) return globMatches(glob, href);
  if (glob.startsWith('/')) return globMatches(glob, path) || globMatches(glob, fullPath);
  const withoutQuery = bare.slice(0, bare.length - (fullPath.length - path.length));
  for (let start = 0; start >= 0; start = nextSegment(withoutQuery, start)) {
    if (globMatches(glob, withoutQuery.slice(start)) || globMatches(glob, bare.slice(start))) return true;
  }
  return false;
}

function nextSegment(text: string, start: number): number {
  const slash = text.indexOf('/', start);
  return slash < 0 ? -1 : slash + 1;
}

/** Origin and path of the folder that a URL is in: `/guide` for `/guide/`, `/guide` and `/guide/a.html`. */
export function folderOf(url: string): { origin: string; path: string } {
  const { origin, pathname } = new URL(url);
  const last = pathname.slice(pathname.lastIndexOf('/') + 1);
  const path = last.includes('.') ? pathname.slice(0, -last.length) : pathname;
  return { origin, path: path.replace(/\/+$/, '') };
}

function isWithin(folder: { origin: string; path: string }, { origin, path }: UrlForms): boolean {
  return origin === folder.origin && (path === folder.path || path.startsWith(`${folder.path}/`));
}
