import { clip, foldForComparison } from './clean-text.ts';
import type { Reading } from './extracted.ts';
import { isForumPage } from './forum.ts';
import { baseUrl, readLinks } from './links.ts';
import { mainText } from './main-text.ts';
import { readMetadata } from './metadata.ts';
import { parseHtml } from './tree.ts';

const minBody = 150;

/** Reads HTML: one parse for main text, metadata and links. */
export function readHtml(html: string, page: { url: string; now: number; xml: boolean }): Reading {
  const tree = parseHtml(html, { xml: page.xml });
  const base = baseUrl(tree, page.url);
  const { linked, generator, declaredLang, ...metadata } = readMetadata(tree, {
    url: page.url,
    base,
    now: page.now,
  });
  const main = mainText(tree, isForumPage({ url: page.url, generator, declaresForum: linked.isForum }));
  const title = metadata.title;
  const folded = foldForComparison(title);
  const headings = main.headings.filter((heading) => foldForComparison(heading) !== folded);
  const fallback = linked.text ?? metadata.description;
  const body = main.text.length < minBody && fallback.length > main.text.length ? fallback : main.text;
  return {
    ...metadata,
    title: title !== '' ? title : clip(main.headings[0] ?? '', 200),
    headings: headings.join('\n'),
    body,
    fileType: 'html',
    links: readLinks(tree, base),
    declaredLang,
  };
}
