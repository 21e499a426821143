import { foldForComparison } from '../../text/line/fold-for-comparison.ts';
import { encodeStructure } from '../../text/structure/marks.ts';
import type { Reading } from '../extracted.ts';
import { absoluteUrl, readLinks } from '../links.ts';
import type { Trail } from '../main-text/explain.ts';
import type { HtmlTree } from '../main-text/tree.ts';
import type { Metadata } from '../metadata/metadata.ts';
import { shippedText } from './shipped-text.ts';

/** Reads a page that scripts draw: what it carries beside them, or else its metadata without a text (`isDrawn`). */
export function drawnReading(
  html: string,
  tree: HtmlTree,
  { metadata, base }: { readonly metadata: Metadata; readonly base: string },
  trail?: Trail,
): Reading {
  const { linked, generator: _, otherTitles, ...known } = metadata;
  const shipped = shippedText(html, tree, { linked, base });
  trail?.choose('body', shipped?.source ?? 'nothing: scripts draw the page');
  const own = readLinks(tree, base);
  const seen = new Set(own.map(({ url }) => url));
  const shippedLinks = (shipped?.links ?? []).filter((url) => !seen.has(url));
  const folded = foldForComparison(known.title);
  const headings = (shipped?.headings ?? []).filter((heading) => foldForComparison(heading) !== folded);
  const markdownUrl = markdownOf(tree, base);
  return {
    ...known,
    title: known.title !== '' ? known.title : (shipped?.headings[0] ?? ''),
    ...(otherTitles !== '' && { otherTitles }),
    headings: headings.join('\n'),
    body: shipped?.text ?? '',
    ...(shipped !== undefined && { structure: encodeStructure({ base, marks: shipped.marks }) }),
    fileType: 'html',
    links: [...own, ...shippedLinks.map((url) => ({ url, nofollow: false }))],
    ...(markdownUrl !== null && { markdownUrl }),
    ...(shipped === undefined && { isDrawn: true as const }),
  };
}

/** What the page names as itself in Markdown. */
function markdownOf(tree: HtmlTree, base: string): string | null {
  const named = tree.byTag
    .get('link')
    ?.find(
      ({ attributes: { rel = '', type = '' } }) =>
        /\balternate\b/i.test(rel) && /^text\/(?:x-)?markdown\b/i.test(type),
    );
  return absoluteUrl(named?.attributes.href, base);
}
