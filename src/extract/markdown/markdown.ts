import { stripInvisible } from '../../text/line/invisible.ts';
import { encodeStructure } from '../../text/structure/marks.ts';
import type { Link, Reading } from '../extracted.ts';
import { absoluteUrl, maxLinks, readLinks } from '../links.ts';
import { renderFragment } from '../main-text/render-fragment.ts';
import { parseDate } from '../metadata/dates.ts';
import { fileName } from '../plain-text.ts';
import { readFrontMatter } from './front-matter.ts';
import { markdownToHtml } from './markdown-html.ts';

/**
 * Reads Markdown (see `markdownToHtml`) as the HTML that it means, by what pages are read with: the same lines, lists and
 * cells, the same hidden parts left out, code as it stands. Pictures leave no text. Links are those of the text, of
 * definitions and of raw HTML; the first heading with text is the title, unless front matter has one.
 */
export function readMarkdown(source: string, page: { url: string; now: number }): Reading {
  const { fields, rest } = readFrontMatter(stripInvisible(source.replace(/\r\n?/g, '\n')));
  const { html, targets } = markdownToHtml(rest);
  const { text, headings, marks, tree } = renderFragment(html);
  const title = fields.get('title');
  return {
    title: title ?? headings[0] ?? fileName(page.url),
    description: fields.get('description') ?? fields.get('summary') ?? '',
    headings: (title === undefined ? headings.slice(1) : headings).join('\n'),
    body: text,
    structure: encodeStructure({ base: page.url, marks }),
    author: fields.get('author') ?? null,
    publishedAt: published(fields.get('date') ?? fields.get('published'), page.now),
    siteName: null,
    fileType: 'markdown',
    canonical: null,
    links: mergeLinks(targets, page.url, readLinks(tree, page.url)),
    robots: { noindex: false, nofollow: false },
    declaredLang: fields.get('lang') ?? null,
  };
}

/** Each URL once: those of the text in its order, then those of raw HTML. */
function mergeLinks(targets: readonly string[], base: string, others: readonly Link[]): Link[] {
  const links = new Map<string, Link>();
  for (const target of targets) {
    if (links.size >= maxLinks) break;
    const url = target.startsWith('#') ? null : absoluteUrl(target, base);
    if (url !== null) links.set(url, { url, nofollow: false });
  }
  for (const link of others) if (!links.has(link.url)) links.set(link.url, link);
  return [...links.values()].slice(0, maxLinks);
}

function published(text: string | undefined, now: number): number | null {
  const date = text === undefined ? undefined : parseDate(text);
  return date === undefined || date > now ? null : date;
}
