import type { FileType } from '../../page.ts';
import { foldForComparison } from '../../text/line/fold-for-comparison.ts';
import { oneLine } from '../../text/line/one-line.ts';
import { truncate } from '../../text/line/truncate.ts';
import type { Reading } from '../extracted.ts';
import { fileName } from '../plain-text.ts';

/** The properties of a document as written, not checked yet. Times are epoch milliseconds. */
export interface Properties {
  readonly title?: string | undefined;
  readonly author?: string | undefined;
  readonly description?: string | undefined;
  readonly lang?: string | undefined;
  readonly created?: number | undefined;
  readonly modified?: number | undefined;
}

const maxTitle = 200;
const maxAuthor = 200;
const maxDescription = 500;
const earliest = Date.UTC(1990, 0, 1);
/** A file that was edited for longer was not published when it was created. */
const maxDraftMs = 30 * 86_400_000;

/** Creation days of the templates of Excel, python-docx, python-pptx and PowerPoint, not of documents. */
const templateDays = new Set([
  '1996-10-14',
  '1999-11-23',
  '2006-08-16',
  '2006-09-16',
  '2013-01-27',
  '2013-12-23',
]);
const noAuthors = new Set(
  'administrator admin user users owner unknown author anonymous nobody root test default microsoft office guest windows pc python docx openpyxl apache poi'.split(
    ' ',
  ),
);
const noTitle =
  /^\(?(?:untitled|anonymous|unspecified|no title|title|document|presentation|powerpoint presentation|slide|microsoft word|microsoft powerpoint|microsoft excel|workbook|book|sheet|word document|pdf|print|layout|doc|template|无标题|演示文稿|幻灯片|文档|工作簿)\)?\s*\d*$/i;
const producerPrefix =
  /^(?:microsoft (?:office )?(?:word|powerpoint|excel)|powerpoint presentation|word)\s*-\s*/i;
const isFileName =
  /^[^\s/\\]+\.(?:docx?|dot|rtf|pptx?|xlsx?|od[tps]|pdf|indd|tex|dvi|qxd|qxp|pmd|pub|wpd|p65|fm|txt|html?|ps|eps|ai|vsd|cdr|xml)$/i;

/**
 * A reading from a document's text and properties. The title is the property, unless it names a program or a file, then
 * the first heading, the first short line, or the file's name; a file without text has none. The author is null unless the
 * property names one. The date of creation counts as published when it is plausible: from 1990 on, not in the future, not
 * that of a template, and not long before the last change.
 */
export function readingOf(
  text: { readonly body: string; readonly headings: readonly string[] },
  properties: Properties,
  page: {
    readonly url: string;
    readonly now: number;
    readonly fileType: FileType;
    readonly shownTitle?: string | undefined;
  },
): Reading {
  const { body, headings } = text;
  const stated = titleOf(properties.title);
  const title =
    stated ??
    titleOf(page.shownTitle) ??
    titleOf(headings[0]) ??
    firstLine(body) ??
    (body === '' ? '' : fileName(page.url));
  const folded = foldForComparison(title);
  return {
    title,
    description: truncate(oneLine(properties.description ?? ''), maxDescription, ''),
    headings: headings.filter((heading) => foldForComparison(heading) !== folded).join('\n'),
    body,
    author: authorOf(properties.author),
    publishedAt: published(properties, page.now),
    siteName: null,
    fileType: page.fileType,
    canonical: null,
    links: [],
    robots: { noindex: false, nofollow: false },
    declaredLang: properties.lang?.trim() || null,
  };
}

function titleOf(text: string | undefined): string | undefined {
  const title = oneLine(text ?? '').replace(producerPrefix, '');
  const isReal =
    /\p{L}.*[\p{L}\p{N}]|\p{Script=Han}/u.test(title) && !noTitle.test(title) && !isFileName.test(title);
  return isReal && !/\ufffd/.test(title) ? truncate(title, maxTitle, '') : undefined;
}

function firstLine(body: string): string | undefined {
  for (const line of body.slice(0, 2000).split('\n', 8)) {
    const title = line.length <= maxTitle ? titleOf(line.replace(/^\s*- /, '')) : undefined;
    if (title !== undefined) return title;
  }
  return undefined;
}

function authorOf(text: string | undefined): string | null {
  const author = oneLine(text ?? '').replace(/^[\s;,]+|[\s;,]+$/g, '');
  const words = author
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  const isReal = /\p{L}/u.test(author) && !author.includes('\ufffd') && author.length <= maxAuthor;
  return isReal && words.some((word) => !noAuthors.has(word)) ? author : null;
}

function published({ created, modified }: Properties, now: number): number | null {
  if (created === undefined || !(created >= earliest && created <= now)) return null;
  if (templateDays.has(new Date(created).toISOString().slice(0, 10))) return null;
  if (modified !== undefined && modified - created > maxDraftMs) return null;
  return created;
}
