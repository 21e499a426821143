import { pageId } from '../../store/page/page-id.ts';
import { addressOf, type PageAddress } from '../../text/page-address.ts';
import type { LocatedPage } from './located-page.ts';

/** Factor of a page that another one shows for readers. */
const textSourceFactor = 0.25;

/** Endings of text sources; Sphinx puts `.txt` after them. */
const sourceEnding = /\.(?:rst|md|markdown|txt|adoc|ipynb)(?:\.txt)?$/i;
const printParameters = ['print', 'printable', 'raw'];

/** Programs that Sphinx and javadoc show beside the documentation in a folder. */
const programFolder = /^(.*\/)(?:_modules|src-html)\/./;
/** The same of rustdoc: `/src/std/fs.rs.html` beside `/std/`. */
const rustProgram = /^(.*\/)src\/([^/]+\/).*\.rs\.html$/;

/** Lists that javadoc makes of the uses of a type, and of the types of a package and of all packages. */
const usesOfType = /\/class-use(\/[^/]+)$/;
const listOfPackage = /\/package-(?:use|tree)\.html$/;
const listOfAll = /\/(?:overview-tree\.html|all(?:classes|packages)(?:-index)?\.html|index-files\/[^/]+)$/;

/** The path of every address that has a page for readers matches, unless it has a query; most others do not. */
const maybeSource =
  /\.(?:rst|md|markdown|txt|adoc|ipynb|rs)\b|_modules\/|src-html\/|class-use\/|\/package-(?:use|tree)\.|\/overview-tree\.|\/all(?:classes|packages)|\/index-files\/|\/print/i;

/** Whether `readersUrls` may name a page. */
function mayBeSource({ pathname, search }: PageAddress): boolean {
  return search !== '' || maybeSource.test(pathname);
}

/** The page that explains what a list of javadoc names; undefined for any other path. */
function explainedAt(pathname: string): string | undefined {
  if (usesOfType.test(pathname)) return pathname.replace(usesOfType, '$1');
  if (listOfPackage.test(pathname)) return pathname.replace(listOfPackage, '/package-summary.html');
  if (listOfAll.test(pathname)) return pathname.replace(listOfAll, '/');
  return undefined;
}

/**
 * Where the page for readers would be if this is the text source or the print version of one: `/_sources/a.rst.txt`
 * is shown at `/a.html`, `/a.md` at `/a.html`, `/a` or `/a/`, `/a?print=1` at `/a`. For a program that documentation shows,
 * `/_modules/a.html`, the front page of the documentation, and for a list of javadoc the page about what is listed. Empty
 * for any other URL. `url` is canonical.
 */
export function readersUrls(url: string): string[] {
  const address = addressOf(url);
  if (!mayBeSource(address)) return [];
  const { pathname, search } = address;
  const pathStart = url.indexOf('/', url.indexOf('//') + 2);
  const at = (path: string): string =>
    url.slice(0, pathStart) + path + url.slice(pathStart + pathname.length);
  if (sourceEnding.test(pathname)) {
    const stem = pathname.replace(sourceEnding, '');
    const shown = [...new Set([stem, stem.replace('/_sources/', '/')])];
    return shown.flatMap((path) => [
      at(`${path}.html`),
      at(path),
      at(`${path}/`),
      ...(/\/(?:index|readme)$/i.test(path) ? [at(path.replace(/[^/]+$/, ''))] : []),
    ]);
  }
  const made =
    programFolder.exec(pathname)?.[1] ??
    rustProgram.exec(pathname)?.slice(1).join('') ??
    explainedAt(pathname);
  if (made !== undefined) return made.endsWith('/') ? [at(made), at(`${made}index.html`)] : [at(made)];
  const parameters = new URLSearchParams(search);
  if (printParameters.some((name) => parameters.has(name))) {
    const other = new URL(url);
    for (const name of printParameters) other.searchParams.delete(name);
    return [other.href];
  }
  if (/\/print(?:able)?\//i.test(pathname)) return [at(pathname.replace(/\/print(?:able)?\//i, '/'))];
  return [];
}

/** Words of a query that asks for sources, of texts or programs, or for uses. */
const sourceWords =
  /(?:^|\s|\/)(?:_sources?|_modules|source code|uses of|class-use|rst|markdown|\S+\.(?:rst|md|txt))(?:\s|$|\/)/i;

/** Whether the words of a query, or the path of a site that it names, ask for sources. */
export function namesTextSource(text: string): boolean {
  return sourceWords.test(text);
}

/** The factor of a page: below 1 if the page for readers is stored too and the query does not name text sources. */
export function textSourceRule(
  { head, address }: LocatedPage,
  { namesSource }: { readonly namesSource: boolean },
  isStored: (url: string) => boolean,
): number {
  if (namesSource || !mayBeSource(address)) return 1;
  return shownElsewhere(head.url).some(isStored) ? textSourceFactor : 1;
}

/** The pages for readers of which one may be stored too; none if the query names text sources. */
export function readersIds(url: string, { namesSource }: { readonly namesSource: boolean }): string[] {
  if (namesSource) return [];
  return shownElsewhere(url).map(pageId);
}

function shownElsewhere(url: string): string[] {
  return readersUrls(url).filter((shown) => shown !== url);
}
