import { foldForComparison, foldsTo } from '../text/line/fold-for-comparison.ts';
import { truncate } from '../text/line/truncate.ts';
import { encodeStructure, type Mark, mapMarks, realignMarks } from '../text/structure/marks.ts';
import { isDrawnByScripts, isInNoscript } from './drawn/drawn-by-scripts.ts';
import { drawnReading } from './drawn/drawn-reading.ts';
import type { Reading } from './extracted.ts';
import { forwardTarget } from './forward.ts';
import { linkShare } from './link-share.ts';
import { baseUrl, readLinks } from './links.ts';
import type { Trail } from './main-text/explain.ts';
import { isForumPage } from './main-text/forum.ts';
import { mainText } from './main-text/main-text.ts';
import type { Rendered } from './main-text/render.ts';
import { parseHtml } from './main-text/tree.ts';
import type { LinkedData } from './metadata/json-ld.ts';
import { readMetadata } from './metadata/metadata.ts';
import { countWords } from './word-count.ts';

const minBody = 150;
const minProductText = 80;
const comparedLength = 40;

/** Reads HTML; main text, metadata and links come from one parse. `isRendered`: its scripts have run. */
export function readHtml(
  html: string,
  page: { url: string; now: number; xml: boolean; isRendered?: boolean },
  trail?: Trail,
): Reading {
  const tree = parseHtml(html, { xml: page.xml });
  const base = baseUrl(tree, page.url);
  const known = readMetadata(tree, { url: page.url, base, now: page.now }, trail);
  const { linked, generator, declaredLang, otherTitles, ...metadata } = known;
  const main = mainText(
    tree,
    isForumPage({ url: page.url, generator, declaresForum: linked.isForum, itemTypes: tree.itemTypes }),
    trail,
  );
  const isForwarding = () => forwardTarget(tree, { url: page.url, base }, () => 0) !== null;
  if (!page.isRendered && isDrawnByScripts(tree, main.root) && !isForwarding()) {
    if (!isInNoscript(main.root)) return drawnReading(html, tree, { metadata: known, base }, trail);
    trail?.choose('body', 'noscript, because scripts draw the page');
  }
  const title = metadata.title;
  const folded = foldForComparison(title);
  // A name that is defined in the page is what the text below it is about, as a heading is.
  const headings = [...main.headings, ...main.definedTerms].filter((heading) => !foldsTo(heading, folded));
  const ownText = withoutTitle(main, title);
  const body = withSelfDescription(ownText, linked, metadata.description, trail);
  const forwardsTo = forwardTarget(tree, { url: page.url, base }, () => countWords(body));
  return {
    ...metadata,
    title: title !== '' ? title : truncate(main.headings[0] ?? '', 200, ''),
    ...(otherTitles !== '' && { otherTitles }),
    headings: headings.join('\n'),
    body,
    structure: encodeStructure({ base, marks: marksOf(main, ownText, body) }),
    linkShare: linkShare(main.root, page.url),
    fileType: 'html',
    links: readLinks(tree, base),
    ...(forwardsTo !== null && { forwardsTo }),
    declaredLang,
  };
}

/** The marks for the text that is kept: without the title, perhaps after the page's own description, or replaced by it. */
function marksOf({ text, marks }: Rendered, ownText: string, body: string): Mark[] {
  if (!body.endsWith(ownText)) return [];
  const added = body.length - ownText.length;
  return mapMarks(realignMarks(marks, text, ownText, '\n'), (offset) => offset + added);
}

/** The title may come after a section name or a date within the first lines. */
const linesAboveTitle = 6;

/** The text without the heading that is the title: the title has its own field. */
function withoutTitle({ text, headings }: Rendered, title: string): string {
  const folded = foldForComparison(title);
  if (!headings.some((heading) => foldsTo(heading, folded))) return text;
  const lines = text.split('\n', linesAboveTitle);
  const index = lines.findIndex((line) => foldsTo(line, folded));
  if (index < 0) return text;
  const before = lines.slice(0, index).join('\n');
  const after = text.slice(lines.slice(0, index + 1).join('\n').length);
  return `${before.trimEnd()}${index === 0 ? '' : '\n\n'}${after.trimStart()}`;
}

/**
 * Adds the page's own description in JSON-LD or meta, where a script would show the text: it replaces a very short text,
 * and precedes the text of a product page without the description of the product.
 */
function withSelfDescription(text: string, linked: LinkedData, description: string, trail?: Trail): string {
  const fallback = linked.text ?? description;
  if (text.length < minBody && fallback.length > text.length) {
    trail?.choose(
      'body',
      linked.text === null ? 'meta description' : 'JSON-LD, because the page shows no text',
    );
    return fallback;
  }
  const product = linked.productText;
  if (product === null || product.length < minProductText || holds(text, product)) return text;
  trail?.choose('body', 'the text after the JSON-LD description of the product, which it lacks');
  return `${product}\n\n${text}`;
}

/** Whether a text contains the beginning of a passage, ignoring case, punctuation and white space. */
function holds(text: string, passage: string): boolean {
  return foldForComparison(text).includes(foldForComparison(passage).slice(0, comparedLength));
}
