/** An element's name without its prefix, whatever the namespace: many sitemaps and feeds have a wrong one or none. */
export function localName(tag: string): string {
  return tag.slice(tag.indexOf(':') + 1).toLowerCase();
}

/**
 * The name of an XML document's outermost element, from the beginning of its text; an empty one where none shows in the
 * first few thousand characters.
 */
export function rootName(text: string): string {
  const start = /^\uFEFF?\s*(?:<\?[^>]*\?>\s*|<!--[\s\S]*?-->\s*|<!DOCTYPE[^>[]*>\s*)*<([\w:.-]+)/i.exec(
    text.slice(0, 4096),
  );
  return localName(start?.[1] ?? '');
}
