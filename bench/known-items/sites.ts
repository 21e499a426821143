import { bookIndex, definitionIndex, keywordIndex } from './book-index.ts';
import { devhelp } from './devhelp.ts';
import { gitNames } from './git-names.ts';
import type { Item } from './item.ts';
import { javadoc } from './javadoc.ts';
import { manPageNames } from './man-pages.ts';
import { nodeHeadings } from './node-headings.ts';
import { rustdoc } from './rustdoc.ts';
import { generalIndex } from './sphinx-genindex.ts';
import { objectsInventory } from './sphinx-inventory.ts';

/** A documentation site as Debian packages it, and the judged sets that it carries. */
export interface Site {
  /** Its pages stand under `http://docs.NAME.example/`. */
  readonly name: string;
  readonly packages: readonly string[];
  /** The folder of the site below `/`. */
  readonly root: string;
  /** A folder below `/` with what the indexes need and the site does not show. */
  readonly aside?: string;
  /** The paths below the root that are taken; all without it. */
  readonly only?: RegExp;
  /** What people put before a name to say where it is from, by the path of the page. */
  readonly library: (path: string) => string;
  /** Sites of half `both` are divided by a hash of the page's path. */
  readonly half: 'dev' | 'held' | 'both';
  /** Readers of the judged sets in the site's folder. */
  readonly indexes: readonly ((folder: string) => Iterable<Item>)[];
  /** With fewer items whose page is stored, something is broken and the run stops. */
  readonly minItems: number;
}

/** Where `aside` is kept in the site's folder: hidden, so that it is not imported. */
export const asideFolder = '.aside';

const always = (library: string) => () => library;

const sphinx = (
  name: string,
  packageName: string,
  half: Site['half'],
  minItems: number,
  root = `usr/share/doc/${packageName}/html`,
): Site => ({
  name,
  packages: [packageName],
  root,
  library: always(name),
  half,
  indexes: [objectsInventory, generalIndex],
  minItems,
});

/**
 * Each kind of index stands in both halves, except two that one site alone has: Node's headings (development) and
 * Git's definition lists (held out); glossaries are no index. Of Rust's library only `std` is taken, as `core` and `alloc` repeat it; of
 * Java's `java.base` with the pages about all modules.
 */
export const sites: readonly Site[] = [
  sphinx('python', 'python3.11-doc', 'dev', 8000, 'usr/share/doc/python3.11/html'),
  sphinx('cmake', 'cmake-doc', 'dev', 2000, 'usr/share/doc/cmake-data/html'),
  {
    name: 'java',
    packages: ['openjdk-17-doc'],
    root: 'usr/share/doc/openjdk-17-jre-headless/api',
    only: /^(?:java\.base\/|[^/]+$)/,
    library: always('java'),
    half: 'dev',
    indexes: [javadoc],
    minItems: 8000,
  },
  {
    name: 'node',
    packages: ['nodejs-doc'],
    root: 'usr/share/doc/nodejs/api',
    only: /\.html$/,
    library: always('node'),
    half: 'dev',
    indexes: [nodeHeadings],
    minItems: 1000,
  },
  {
    name: 'glib',
    packages: ['libglib2.0-doc'],
    root: 'usr/share/gtk-doc/html',
    library: (path) => path.split('/')[0] ?? 'glib',
    half: 'dev',
    indexes: ['glib', 'gobject', 'gio'].map(
      (book) => (folder: string) => devhelp(folder, `${book}/${book}.devhelp2`, `${book}/`),
    ),
    minItems: 4000,
  },
  {
    name: 'sqlite',
    packages: ['sqlite3-doc'],
    root: 'usr/share/doc/sqlite3',
    library: always('sqlite'),
    half: 'dev',
    indexes: [(folder) => keywordIndex(folder, 'keyword_index.html')],
    minItems: 500,
  },
  {
    name: 'rust',
    packages: ['rust-doc'],
    root: 'usr/share/doc/rust-doc/html',
    only: /^(?:std|book|reference)\/|^search-index[^/]*\.js$|^[^/]+\.html$/,
    library: always('rust'),
    half: 'both',
    indexes: [rustdoc],
    minItems: 5000,
  },
  {
    name: 'postgresql',
    packages: ['postgresql-doc-15'],
    root: 'usr/share/doc/postgresql-doc-15/html',
    library: always('postgresql'),
    half: 'both',
    indexes: [(folder) => bookIndex(folder, 'bookindex.html')],
    minItems: 1500,
  },
  {
    name: 'linux',
    packages: ['manpages', 'manpages-dev'],
    root: 'usr/share/man',
    only: /^man\d\//,
    library: always('linux'),
    half: 'both',
    indexes: [manPageNames],
    minItems: 1500,
  },
  sphinx('django', 'python-django-doc', 'held', 2000),
  sphinx('sqlalchemy', 'python-sqlalchemy-doc', 'held', 2000),
  sphinx('sphinx', 'sphinx-doc', 'held', 500),
  sphinx('tornado', 'python-tornado-doc', 'held', 300),
  sphinx('flask', 'python-flask-doc', 'held', 200),
  sphinx('requests', 'python-requests-doc', 'held', 80),
  {
    name: 'commons-lang3',
    packages: ['libcommons-lang3-java-doc'],
    root: 'usr/share/doc/libcommons-lang3-java/api',
    library: always('apache commons'),
    half: 'held',
    indexes: [javadoc],
    minItems: 1000,
  },
  {
    name: 'cppreference',
    packages: ['cppreference-doc-en-html'],
    root: 'usr/share/cppreference/doc/html',
    aside: 'usr/share/devhelp/books',
    only: /^en\//,
    library: (path) => (path.startsWith('en/cpp') ? 'c++' : 'c'),
    half: 'held',
    indexes: ['cppreference-doc-en-cpp', 'cppreference-doc-en-c'].map(
      (book) => (folder: string) => devhelp(folder, `${asideFolder}/${book}/${book}.devhelp2`, ''),
    ),
    minItems: 4000,
  },
  {
    name: 'git',
    packages: ['git-doc'],
    root: 'usr/share/doc/git-doc',
    library: always('git'),
    half: 'held',
    indexes: [gitNames],
    minItems: 500,
  },
  {
    name: 'exim',
    packages: ['exim4-doc-html'],
    root: 'usr/share/doc/exim4-doc-html/spec_html',
    library: always('exim'),
    half: 'held',
    indexes: ['concept', 'option', 'variable'].map(
      (index) => (folder: string) => definitionIndex(folder, `ch-${index}_index.html`),
    ),
    minItems: 500,
  },
];

/** The address under which a site's folder is imported. */
export function baseUrlOf({ name }: Site): string {
  return `http://docs.${name}.example/`;
}
