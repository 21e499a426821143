import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Config } from '../config/config.ts';
import type { ContentRecord } from '../contract/content.ts';
import { ServiceError } from '../contract/errors.ts';
import { createReadDrawnPage } from '../crawl/render/read-drawn-page.ts';
import { createRenderer } from '../crawl/render/renderer.ts';
import { readLlmsLinks } from '../crawl/site/llms-txt.ts';
import { createTextTwins } from '../crawl/site/text-twin.ts';
import { contentRecord } from '../engine/content-record.ts';
import { createPdfReader } from '../extract/documents/index.ts';
import type { Extraction, FetchedFile } from '../extract/extract.ts';
import { createFileExtractor } from '../extract/file-extractor.ts';
import { createTrail, type Trail } from '../extract/main-text/explain.ts';
import { pageId } from '../store/page/page-id.ts';
import { loadLanguageDetector } from '../text/language/language.ts';
import { type FetchedTarget, fetchOnce } from './fetch-once.ts';
import { printableJson, printableLine, printableText } from './output/printable.ts';
import { sayOnStderr } from './output/say.ts';

export interface ExtractFlags {
  readonly json?: true;
  readonly explain?: true;
}

/** `gleaner extract`: prints what is extracted from one page or file: as text, as the API's record, or with the reasons. */
export async function extractCommand(target: string, flags: ExtractFlags, config: Config): Promise<void> {
  const fetched = await read(target, config);
  const { read: readPdf, close } = createPdfReader();
  const trail = flags.explain && createTrail();
  const extract = createFileExtractor({
    detectLanguage: await loadLanguageDetector(),
    now: Date.now,
    readPdf,
  });
  try {
    const first = await extract(fetched, trail);
    const extraction = await withDrawnText(first, fetched, { extract, trail, config });
    if (trail) process.stdout.write(printableText(explained(trail)));
    if (extraction.kind !== 'page')
      throw new ServiceError('unreadable', `${target} cannot be read: ${extraction.why}`);
    if (fetched.bytes.length === 0)
      throw new ServiceError('unreadable', `${target} is empty: there is no text`);
    const record = contentRecord(
      { ...extraction.page, id: pageId(fetched.url), url: fetched.url, crawledAt: Date.now() },
      false,
    );
    if (flags.json) process.stdout.write(`${printableJson(record, 2)}\n`);
    else
      process.stdout.write(
        trail ? fields(record) : `${fields(record)}\n${printableText(record.body_text)}\n`,
      );
  } finally {
    await fetched.close?.();
    await close();
  }
}

/** The text of a page that scripts draw, found beside it or drawn by a browser, in place of the page. */
async function withDrawnText(
  extraction: Extraction,
  target: ReadTarget,
  { extract, trail, config }: { extract: Extract; trail: Trail | undefined; config: Config },
): Promise<Extraction> {
  const { ask, partsOf } = target;
  if (extraction.kind !== 'drawn' || ask === undefined || partsOf === undefined) return extraction;
  const llmsLinks = async (of: string) => readLlmsLinks(await ask(`${new URL(of).origin}/llms.txt`, {}));
  const renderer = config.render && createRenderer({ ...config.render, onNotice: sayOnStderr });
  const extractFile = (file: FetchedFile) => extract(file);
  const findTextTwin = createTextTwins({ ask, extract: extractFile, llmsLinks });
  try {
    const readDrawnPage = createReadDrawnPage({ findTextTwin, renderer, partsOf, extract: extractFile });
    const { url, bytes, contentType, contentSecurityPolicy } = target;
    const shell = { url, bytes, contentType, contentSecurityPolicy };
    const drawn = await readDrawnPage(shell, extraction.page);
    if (drawn.kind === 'moved')
      throw new ServiceError(
        'unavailable',
        `the scripts of the page lead on to ${drawn.to}: give that address`,
      );
    if (drawn.kind !== 'twin' && drawn.kind !== 'rendered') return extraction;
    trail?.choose('body', drawn.source);
    return { kind: 'page', page: drawn.page };
  } finally {
    await renderer?.close();
  }
}

type Extract = ReturnType<typeof createFileExtractor>;
type ReadTarget = FetchedFile & Partial<FetchedTarget>;

/** Requests a web address; anything else is a file. */
async function read(target: string, config: Config): Promise<ReadTarget> {
  if (/^https?:\/\//i.test(target)) return fetchOnce(target, config);
  const path = resolve(target);
  try {
    return { url: pathToFileURL(path).href, bytes: await readFile(path), contentType: null };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EISDIR')
      throw new ServiceError(
        'invalid_parameters',
        `${target} is a folder: give a file of it; "gleaner import" reads whole folders into the index`,
      );
    const reason = code === 'ENOENT' ? 'there is no such file' : `it is not readable (${code})`;
    throw new ServiceError(
      'not_found',
      `${target}: ${reason}. Give a file, or a URL with http:// or https://.`,
    );
  }
}

/** All fields of the record except its text, one a line. */
function fields(record: ContentRecord): string {
  const { body_text: _, ...rest } = record;
  const width = Math.max(...Object.keys(rest).map((name) => name.length));
  return Object.entries(rest)
    .map(([name, value]) => `${name.padEnd(width)}  ${printableLine(String(value ?? '-'))}\n`)
    .join('');
}

const maxCuts = 20;

/** The trail as text: each step with its reason and the largest parts that it dropped, then the source of each field. */
function explained({ steps, choices }: Trail): string {
  const lines: string[] = [];
  for (const { step, why, cuts } of steps) {
    lines.push(`${step}: ${why}`);
    const largest = cuts.toSorted((a, b) => b.characters - a.characters);
    for (const { element, characters, beginning } of largest.slice(0, maxCuts))
      lines.push(`  - ${characters} characters in ${printableLine(element)}: ${printableLine(beginning)}`);
    if (largest.length > maxCuts) lines.push(`  - and ${largest.length - maxCuts} smaller`);
  }
  if (steps.length > 0) lines.push('');
  for (const { field, from } of choices) lines.push(`${field} from ${from}`);
  return lines.length === 0 ? '' : `${lines.join('\n')}\n\n`;
}
