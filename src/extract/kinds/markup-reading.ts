import { encodeStructure } from '../../text/structure/marks.ts';
import type { Reading } from '../extracted.ts';
import { readLinks } from '../links.ts';
import { drop } from '../main-text/drop.ts';
import { isHidden, isNonContent, isPermalink } from '../main-text/non-content.ts';
import { render } from '../main-text/render.ts';
import { parseHtml } from '../main-text/tree.ts';
import { fileName } from '../plain-text.ts';

type Fields = Partial<
  Pick<Reading, 'author' | 'publishedAt' | 'description' | 'declaredLang' | 'fileType' | 'siteName'>
>;

/**
 * The reading of a file that was turned into HTML: the lines, lists, cells and code that pages have, with nothing chosen or
 * left out but what pages hide. The title is the one given, otherwise the first heading, otherwise the file's name.
 */
export function readingOfMarkup(
  html: string,
  { url, title, ...fields }: { readonly url: string; readonly title?: string | undefined } & Fields,
): Reading {
  const tree = parseHtml(html);
  drop(tree.root, (element) => isNonContent(element) || isPermalink(element) || isHidden(element));
  const { text, headings, marks } = render(tree.root);
  return {
    title: title || headings[0] || fileName(url),
    description: '',
    headings: (title ? headings.filter((heading) => heading !== title) : headings.slice(1)).join('\n'),
    body: text,
    structure: encodeStructure({ base: url, marks }),
    author: null,
    publishedAt: null,
    siteName: null,
    fileType: 'text',
    canonical: null,
    links: readLinks(tree, url),
    robots: { noindex: false, nofollow: false },
    declaredLang: null,
    ...fields,
  };
}

/** Text as it stands in HTML. */
export function htmlText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** A heading of level 1 to 6; deeper ones are of level 6. */
export function headingMarkup(level: number, html: string): string {
  const tag = `h${Math.min(6, Math.max(1, level))}`;
  return `<${tag}>${html}</${tag}>`;
}

/** Code as it stands, with its language. */
export function codeBlock(code: string, language = ''): string {
  const name = language.replace(/[^\w+#.-]/g, '');
  return `<pre><code${name === '' ? '' : ` class="language-${name}"`}>${htmlText(code)}</code></pre>\n`;
}
