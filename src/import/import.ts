import { stat } from 'node:fs/promises';
import { invalidParameters } from '../contract/errors.ts';
import { type StoreFailure, storeFailureOf } from '../crawl/crawl-tally.ts';
import { parseRobotsTag } from '../crawl/site/robots-tag.ts';
import { canonicalUrl } from '../crawl/url/canonical-url.ts';
import type { Extraction, Fetched } from '../extract/extract.ts';
import { pageFromExtraction } from '../extract/page-from-extraction.ts';
import type { Page } from '../page.ts';
import type { Clock } from '../runtime.ts';
import { pageId } from '../store/page/page-id.ts';
import type { PageStore } from '../store/page-store.ts';
import type { PageWriter } from '../store/page-writer.ts';
import { type BrokenFile, createBrokenFiles } from './broken-files.ts';
import type { Document, Refused } from './document.ts';
import { type FoundFile, filesBelow, isArchive, readFileAsDocument, urlOfFile } from './folder.ts';
import { type ArchiveItem, readWarc } from './warc.ts';

export interface ImportProgress {
  /** The file that is being read. */
  readonly path: string;
  readonly stored: number;
  readonly unchanged: number;
  readonly refused: number;
}

export interface ImportSummary {
  readonly stored: number;
  readonly unchanged: number;
  /** Reason -> how many pages or files. */
  readonly refused: Readonly<Record<string, number>>;
  /** Files and folders of which a part could not be read, once for each reason. */
  readonly broken: readonly BrokenFile[];
  readonly stopped: boolean;
  /** Why nothing more could be stored, which ended it; missing where all was. */
  readonly storeFailure?: StoreFailure;
}

export interface ImportOptions {
  /** WARC files, documents, and folders of them. */
  readonly paths: readonly string[];
  /** The http(s) URL of the folders; pages of files have `file:` URLs without it. Archives know their URLs. */
  readonly baseUrl?: string | undefined;
  readonly store: PageStore;
  readonly pageWriter: PageWriter;
  readonly extract: (fetched: Fetched) => Extraction | Promise<Extraction>;
  readonly now: Clock;
  readonly onProgress?: (progress: ImportProgress) => void;
  /** What became of one document: `stored`, `unchanged`, or why it was not taken. */
  readonly onOutcome?: (what: string, url: string) => void;
  readonly signal?: AbortSignal;
}

/** What is longer is no page that anybody reads. */
const maxPageBytes = 32 * 1024 * 1024;
/** Documents that may be in the making, from their bytes to their commit. */
const maxUnderWay = 16;

/**
 * Fills the store from files, through the same extraction as a crawl. What a page's own robots rules forbid is not
 * imported, nor is what is older than the stored page. Throws a `ServiceError` (`invalid_parameters`) for a path that
 * is not there and a base that is no http(s) URL. When storing fails, the import ends with a summary that says so.
 */
export async function importPaths(options: ImportOptions): Promise<ImportSummary> {
  const { paths, store, pageWriter, extract, now, onProgress, onOutcome, signal } = options;
  const base = await checked(options);
  const refused = new Map<string, number>();
  const broken = createBrokenFiles();
  const underWay = new Set<Promise<void>>();
  const counts = { stored: 0, unchanged: 0, refused: 0 };

  const refuse = (why: string, url: string): void => {
    onOutcome?.(why, url);
    refused.set(why, (refused.get(why) ?? 0) + 1);
    counts.refused += 1;
  };

  const commit = async (page: Page): Promise<void> => {
    const stored = store.source(page.id);
    if (stored && stored.crawledAt > page.crawledAt) refuse('older than the stored page', page.url);
    else if (stored && saysTheSame(stored, page)) {
      await pageWriter.touch(page.id, page.crawledAt);
      counts.unchanged += 1;
      onOutcome?.('unchanged', page.url);
    } else {
      await pageWriter.put(page);
      counts.stored += 1;
      onOutcome?.('stored', page.url);
    }
  };

  let lastBegun: Promise<unknown> = Promise.resolve();
  const commits = new Map<string, Promise<void>>();

  /** Many are read at once, but commits begin in the order of the files: of copies the first is the original. */
  const take = async (item: ArchiveItem, path: string): Promise<void> => {
    const reading = item.kind === 'document' ? toPage(item, { extract, now }) : item;
    const begun = Promise.all([reading, lastBegun]).then(async ([page]) => {
      if ('kind' in page) {
        if (page.kind === 'damaged' || page.url === null) broken.add(path, page);
        else refuse(page.why, page.url);
        return { done: Promise.resolve() };
      }
      // An archive may hold a page more than once.
      const earlier = commits.get(page.id) ?? Promise.resolve();
      const done = earlier.then(() => commit(page));
      commits.set(page.id, done);
      done.finally(() => commits.get(page.id) === done && commits.delete(page.id)).catch(() => {});
      return { done };
    });
    lastBegun = begun;
    const ended = begun
      .then(({ done }) => done)
      .then(() => onProgress?.({ path, ...counts }))
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => underWay.delete(ended));
    underWay.add(ended);
    if (underWay.size >= maxUnderWay) await Promise.race(underWay);
    if (failure !== undefined) throw failure.error;
  };

  let failure: { error: unknown } | undefined;
  try {
    for (const path of paths) {
      for await (const file of filesBelow(path)) {
        if (signal?.aborted) break;
        for await (const item of itemsOf(file, base)) {
          if (signal?.aborted) break;
          await take(item, file.path);
        }
      }
    }
  } catch (error) {
    if (failure === undefined || error !== (failure as { error: unknown }).error) throw error;
  } finally {
    await Promise.all(underWay);
  }
  const { stored, unchanged } = counts;
  return {
    stored,
    unchanged,
    refused: Object.fromEntries(refused),
    broken: broken.list(),
    stopped: signal?.aborted ?? false,
    ...(failure !== undefined && { storeFailure: storeFailureOf((failure as { error: unknown }).error) }),
  };
}

async function checked({ paths, baseUrl }: ImportOptions): Promise<string | undefined> {
  for (const path of paths) {
    const found = await stat(path).catch((error: NodeJS.ErrnoException) => error);
    // What cannot be looked at may well be there.
    if (found instanceof Error && found.code !== 'ENOENT' && found.code !== 'ENOTDIR')
      throw invalidParameters([{ parameter: 'path', message: `cannot be read (${found.code}): ${path}` }]);
    if (found instanceof Error || (!found.isFile() && !found.isDirectory()))
      throw invalidParameters([{ parameter: 'path', message: `no file or folder is there: ${path}` }]);
  }
  if (baseUrl === undefined) return undefined;
  const base = canonicalUrl(baseUrl);
  if (base === null) {
    const message = 'must be an http(s) URL, such as https://docs.example.com/guide/';
    throw invalidParameters([{ parameter: '--base-url', message }]);
  }
  const folder = new URL(base);
  folder.search = '';
  if (!folder.pathname.endsWith('/')) folder.pathname += '/';
  return folder.href;
}

async function* itemsOf(file: FoundFile, base: string | undefined): AsyncGenerator<ArchiveItem> {
  if (file.locked !== undefined) {
    yield { kind: 'refused', url: null, why: `the folder cannot be read (${file.locked})` };
    return;
  }
  const url = urlOfFile(file, base);
  try {
    if (isArchive(file)) yield* readWarc(file.pathBytes ?? file.path, maxPageBytes);
    else yield await readFileAsDocument(file, url, maxPageBytes);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    yield { kind: 'refused', url: null, why: `the file cannot be read (${code})` };
  }
}

async function toPage(
  document: Document,
  { extract, now }: Pick<ImportOptions, 'extract' | 'now'>,
): Promise<Page | Refused> {
  const { bytes, contentType, crawledAt = now(), robotsTag } = document;
  const url = document.url.startsWith('file:') ? document.url : canonicalUrl(document.url);
  if (url === null) return { kind: 'refused', url: document.url, why: 'not the address of a page' };
  const extraction = await extract({ url, bytes, contentType });
  if (extraction.kind === 'unreadable') return { kind: 'refused', url, why: extraction.why };
  const { page: extracted } = extraction;
  if (extracted.robots.noindex || parseRobotsTag(robotsTag).noindex)
    return { kind: 'refused', url, why: 'noindex' };
  if (extracted.forwardsTo !== undefined) return { kind: 'refused', url, why: 'forwards to another page' };
  // A date in the future would keep every later crawl from replacing the page.
  return pageFromExtraction(extracted, { id: pageId(url), url, crawledAt: Math.min(crawledAt, now()) });
}

function saysTheSame(stored: Page, fresh: Page): boolean {
  return (Object.keys(fresh) as (keyof Page)[]).every(
    (field) => field === 'crawledAt' || stored[field] === fresh[field],
  );
}
