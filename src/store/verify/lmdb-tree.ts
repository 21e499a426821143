import {
  childrenOf,
  keyAt,
  type LmdbFile,
  type LmdbMeta,
  type LmdbPage,
  type LmdbTree,
  nodeFlags,
  nodeHeaderBytes,
  noRootPage,
  numberAt,
  pageFlags,
  pageHeaderBytes,
  readTreePage,
  restOfPage,
  treeAt,
} from './lmdb-file.ts';

type Bounds = Pick<LmdbMeta, 'pageSize' | 'lastPage'>;

export interface LmdbEntry {
  readonly key: Buffer;
  readonly value: Buffer;
  /** The transaction that wrote the page of the entry. */
  readonly transaction: number;
}

/** A step of a walk over a tree: a page, or what is wrong with the next one, which then has its remaining entries. */
export type Step =
  | { readonly kind: 'page'; readonly page: LmdbPage }
  | { readonly kind: 'damaged'; readonly why: string };

/**
 * All pages of a tree from its root, each once. A damaged page is reported, and then returned with those of its entries
 * that are within it. `seen` has the pages that the tree must not lead to.
 */
export function* walkTree(file: LmdbFile, meta: Bounds, tree: LmdbTree, seen: Set<number>): Iterable<Step> {
  if (tree.root === noRootPage) return;
  const stack: { number: number; depth: number }[] = [{ number: tree.root, depth: 1 }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { number, depth } = next;
    if (seen.has(number)) {
      yield { kind: 'damaged', why: `page ${number} is in two places of a tree` };
      continue;
    }
    seen.add(number);
    let page = readTreePage(file, meta, number);
    if (typeof page === 'string') {
      yield { kind: 'damaged', why: page };
      const bytes = number > meta.lastPage ? undefined : file.read(number * meta.pageSize, meta.pageSize);
      if (bytes?.length !== meta.pageSize) continue;
      page = restOfPage(bytes, number, meta.lastPage, depth === tree.depth);
    }
    if (page.isLeaf !== (depth === tree.depth)) {
      yield { kind: 'damaged', why: `page ${number} is at depth ${depth} of ${tree.depth}` };
      if (!page.isLeaf) continue;
    }
    yield { kind: 'page', page };
    if (page.isLeaf) continue;
    for (const child of childrenOf(page).reverse()) stack.push({ number: child, depth: depth + 1 });
  }
}

/** The entries of a leaf page; a string with the reason for an entry whose value cannot be read. */
export function* entriesOfTable(
  file: LmdbFile,
  { pageSize, lastPage }: Bounds,
  page: LmdbPage,
  seen: Set<number> = new Set(),
): Iterable<LmdbEntry | string> {
  const { bytes, transaction } = page;
  for (const at of page.nodes) {
    const key = keyAt(bytes, at);
    const length = bytes.readUInt32LE(at);
    const start = at + nodeHeaderBytes + key.length;
    if ((bytes.readUInt16LE(at + 4) & nodeFlags.overflow) === 0) {
      yield { key, value: bytes.subarray(start, start + length), transaction };
      continue;
    }
    const first = numberAt(bytes, start);
    const pages = Math.ceil((pageHeaderBytes + length) / pageSize);
    const why = `page ${page.number}: the value in ${pages} pages from page ${first}`;
    if (first < 2 || first + pages - 1 > lastPage) {
      yield `${why} of ${lastPage}`;
      continue;
    }
    const value = file.read(first * pageSize, pageHeaderBytes + length);
    if (value.length < pageHeaderBytes + length) {
      yield `${why} is behind the end of the file`;
      continue;
    }
    if (numberAt(value, 0) !== first || (value.readUInt16LE(18) & pageFlags.overflow) === 0) {
      yield `${why} has no such beginning`;
      continue;
    }
    if (seen.has(first)) {
      yield `${why} is in two places`;
      continue;
    }
    seen.add(first);
    yield { key, value: value.subarray(pageHeaderBytes), transaction };
  }
}

/** The named databases that the leaf pages of the main tree name. */
export function databasesIn(page: LmdbPage): [name: string, tree: LmdbTree][] {
  const found: [string, LmdbTree][] = [];
  for (const at of page.nodes) {
    if ((page.bytes.readUInt16LE(at + 4) & nodeFlags.database) === 0) continue;
    const key = keyAt(page.bytes, at);
    const name = key.toString('utf8').replace(/\0+$/, '');
    found.push([name, treeAt(page.bytes, at + nodeHeaderBytes + key.length)]);
  }
  return found;
}
