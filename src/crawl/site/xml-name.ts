/** An element's name without its prefix. The namespace is ignored: many sitemaps and feeds have a wrong one or none. */
export function localName(tag: string): string {
  return tag.slice(tag.indexOf(':') + 1).toLowerCase();
}

/**
 * The name of an XML document's root element; empty when the first few thousand characters have none.
 */
export function rootName(text: string): string {
  const start = /^\uFEFF?\s*(?:<\?[^>]*\?>\s*|<!--[\s\S]*?-->\s*|<!DOCTYPE[^>[]*>\s*)*<([\w:.-]+)/i.exec(
    text.slice(0, 4096),
  );
  return localName(start?.[1] ?? '');
}
