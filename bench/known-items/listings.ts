/** Pages of links: indexes, tables of contents, trees, "class use", sources of the page. No question is about them. */
const listing = new RegExp(
  [
    /(?:^|\/)(?:genindex[^/]*|py-modindex|contents|search|bookindex|keyword_index|doc_keyword_crossref|all)\.html$/,
    /(?:^|\/)(?:index-all|all(?:classes|packages)[^/]*|overview-[^/]*|package-(?:tree|use)|api-index[^/]*)\.html$/,
    /(?:^|\/)(?:constant-values|deprecated-list|serialized-form|new-list|preview-list)\.html$/,
    /\/(?:class-use|src-html)\/|(?:^|\/)index-files\/|^ch-\w+_index\.html$/,
  ]
    .map(({ source }) => source)
    .join('|'),
);

const textSource = /^_(?:sources|modules)\/|\.(?:txt|md|rst)$/;

export function isListing(path: string): boolean {
  return listing.test(path);
}

export function isTextSource(path: string): boolean {
  return textSource.test(path);
}
