import { readFile, stat } from 'node:fs/promises';
import { invalidParameters } from '../contract/errors.ts';
import { type StoreFailure, storeFailureOf } from '../crawl/crawl-tally.ts';
import { parseRobotsTag } from '../crawl/site/robots-tag.ts';
import { canonicalUrl } from '../crawl/url/canonical-url.ts';
import type { Extraction, FetchedFile } from '../extract/extract.ts';
import { pageFromExtraction } from '../extract/page-from-extraction.ts';
import type { Page } from '../page.ts';
import type { Clock } from '../runtime.ts';
import { pageId } from '../store/page/page-id.ts';
import type { PageStore } from '../store/page-store.ts';
import type { PageWriter } from '../store/page-writer.ts';
import { type BrokenFile, createBrokenFiles } from './broken-files.ts';
import type { Damage, Document, RefusedItem } from './document.ts';
import { filesBelow, isArchive, readFileAsDocument, type SourceFile, urlOfFile } from './folder.ts';
import { createImportTally, type ImportTally } from './import-tally.ts';
import { createOrderedCommits } from './ordered-commits.ts';
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
  /** Reason -> number of pages or files. */
  readonly refused: Readonly<Record<string, number>>;
  /** Files and folders that could not be read in full, once for each reason. */
  readonly broken: readonly BrokenFile[];
  readonly stopped: boolean;
  /** Why storing failed, which ended the import; absent otherwise. */
  readonly storeFailure?: StoreFailure;
}

export interface ImportOptions {
  /** WARC files, documents, and folders of them. */
  readonly paths: readonly string[];
  /** The files among the paths that were downloaded, by their paths. */
  readonly downloads?: ReadonlyMap<string, Download>;
  /** The http(s) URL of the folders; without it, pages of files have `file:` URLs. Archives have their own URLs. */
  readonly baseUrl?: string | undefined;
  readonly store: PageStore;
  readonly pageWriter: PageWriter;
  readonly extract: (fetched: FetchedFile) => Extraction | Promise<Extraction>;
  readonly now: Clock;
  readonly onProgress?: (progress: ImportProgress) => void;
  /** The result of one document: `stored`, `unchanged`, or why it was refused. */
  readonly onOutcome?: (what: string, url: string) => void;
  readonly signal?: AbortSignal;
}

/** Where a file comes from that was downloaded to be imported. */
export interface Download {
  readonly url: string;
  /** As in HTTP; null when unknown. */
  readonly contentType: string | null;
  readonly robotsTag: string | undefined;
  /** Whether it came with credentials, as then did all pages in it. */
  readonly isPrivate: boolean;
}

/** Longer documents are refused. */
const maxPageBytes = 32 * 1024 * 1024;
/** Documents under way at most, from their bytes to their commit. */
const maxUnderWay = 16;

/**
 * Fills the store from files, through the same extraction as a crawl. What a page's own robots rules forbid is not
 * imported, nor is a page older than the stored one. Throws a `ServiceError` (`invalid_parameters`) for a path that
 * is not there and a base that is no http(s) URL. When storing fails, the import ends with a summary that has the reason.
 */
export async function importPaths(options: ImportOptions): Promise<ImportSummary> {
  const { paths, downloads = new Map(), extract, now, onProgress, onOutcome, signal } = options;
  const base = await checkedBase(options);
  const tally = createImportTally({ onOutcome });
  const broken = createBrokenFiles();
  const commitPage = createPageCommits(options, tally);
  const commits = createOrderedCommits<ReadItem>({
    maxUnderWay,
    // Of copies the first is the original, so commits begin in the order of the files.
    begin: async ({ result, path }) => {
      if (!('kind' in result)) return commitPage(result);
      if (result.kind === 'damaged' || result.url === null) broken.add(path, result);
      else tally.refuse(result.why, result.url);
    },
  });
  const read = async (item: ArchiveItem, path: string): Promise<ReadItem> => ({
    result: item.kind === 'document' ? await toPage(item, { extract, now }) : item,
    path,
  });

  try {
    for await (const { item, path } of itemsBelow(paths, { base, downloads, signal })) {
      if (signal?.aborted) break;
      await commits.add(read(item, path), () => onProgress?.({ path, ...tally.counts() }));
    }
  } catch (error) {
    if (error !== commits.failure()?.error) throw error;
  } finally {
    await commits.settled();
  }
  const failure = commits.failure();
  const { stored, unchanged } = tally.counts();
  return {
    stored,
    unchanged,
    refused: tally.refused(),
    broken: broken.list(),
    stopped: signal?.aborted ?? false,
    ...(failure !== undefined && { storeFailure: storeFailureOf(failure.error) }),
  };
}

/** An item after reading, and its file. */
interface ReadItem {
  readonly result: Page | RefusedItem | Damage;
  readonly path: string;
}

/** Puts or touches pages concurrently; those of one URL, which an archive may hold more than once, one after another. */
function createPageCommits(
  { store, pageWriter }: Pick<ImportOptions, 'store' | 'pageWriter'>,
  tally: ImportTally,
): (page: Page) => Promise<void> {
  const underWay = new Map<string, Promise<void>>();

  const commit = async (page: Page): Promise<void> => {
    const stored = store.source(page.id);
    if (stored && stored.crawledAt > page.crawledAt) tally.refuse('older than the stored page', page.url);
    else if (stored && hasSameContent(stored, page)) {
      await pageWriter.touch(page.id, page.crawledAt, page.structure);
      tally.count('unchanged', page.url);
    } else {
      await pageWriter.put(page);
      tally.count('stored', page.url);
    }
  };

  return (page) => {
    const earlier = underWay.get(page.id) ?? Promise.resolve();
    const done = earlier.then(() => commit(page));
    underWay.set(page.id, done);
    done.finally(() => underWay.get(page.id) === done && underWay.delete(page.id)).catch(() => {});
    return done;
  };
}

/** The items of all files at or below the paths; no further file is read once the signal is aborted. */
async function* itemsBelow(
  paths: readonly string[],
  { base, downloads, signal }: Places,
): AsyncGenerator<{ readonly item: ArchiveItem; readonly path: string }> {
  for (const path of paths) {
    for await (const file of filesBelow(path)) {
      if (signal?.aborted) return;
      const download = downloads.get(file.path);
      const items = download ? itemsOfDownload(file, download) : itemsOf(file, base);
      for await (const item of items) yield { item, path: download?.url ?? file.path };
    }
  }
}

interface Places {
  /** The URL of the folders. */
  readonly base: string | undefined;
  readonly downloads: ReadonlyMap<string, Download>;
  readonly signal: AbortSignal | undefined;
}

/** The items of a downloaded file: those of an archive, or the document that it is, at its own URL. */
async function* itemsOfDownload(file: SourceFile, download: Download): AsyncGenerator<ArchiveItem> {
  const { url, contentType, robotsTag, isPrivate } = download;
  if (!isArchive(file)) {
    const bytes = await readFile(file.path);
    const isTooLarge = bytes.length > maxPageBytes;
    yield isTooLarge
      ? { kind: 'refused', url, why: 'too large' }
      : { kind: 'document', url, bytes, contentType, robotsTag, isPrivate };
    return;
  }
  for await (const item of itemsOf(file, undefined))
    yield item.kind === 'document' ? { ...item, isPrivate } : item;
}

/** The URL of the folder that the files go below. Throws for a path that is not there, too. */
async function checkedBase({ paths, baseUrl }: ImportOptions): Promise<string | undefined> {
  for (const path of paths) {
    const stats = await stat(path).catch((error: NodeJS.ErrnoException) => error);
    // A path that may not be looked at may well be there.
    if (stats instanceof Error && stats.code !== 'ENOENT' && stats.code !== 'ENOTDIR')
      throw invalidParameters([{ parameter: 'path', message: `cannot be read (${stats.code}): ${path}` }]);
    if (baseUrl !== undefined && !(stats instanceof Error) && stats.isFile() && isArchive({ path })) {
      const message = `is for folders and documents: the pages of ${path} have the URLs of the archive`;
      throw invalidParameters([{ parameter: '--base-url', message }]);
    }
    if (stats instanceof Error || (!stats.isFile() && !stats.isDirectory()))
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

async function* itemsOf(file: SourceFile, base: string | undefined): AsyncGenerator<ArchiveItem> {
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
): Promise<Page | RefusedItem> {
  const { bytes, contentType, crawledAt = now(), robotsTag, isPrivate = false } = document;
  const url = document.url.startsWith('file:') ? document.url : canonicalUrl(document.url);
  if (url === null) return { kind: 'refused', url: document.url, why: 'not the address of a page' };
  const extraction = await extract({ url, bytes, contentType });
  if (extraction.kind !== 'page') return { kind: 'refused', url, why: extraction.why };
  const { page: extracted } = extraction;
  if (extracted.robots.noindex || parseRobotsTag(robotsTag).noindex)
    return { kind: 'refused', url, why: 'noindex' };
  if (extracted.forwardsTo !== undefined) return { kind: 'refused', url, why: 'forwards to another page' };
  // A date in the future would keep every later crawl from replacing the page.
  const identity = { id: pageId(url), url, crawledAt: Math.min(crawledAt, now()), isPrivate };
  return pageFromExtraction(extracted, identity);
}

/** The structure is no part of it: links change with every session. */
function hasSameContent(stored: Page, { crawledAt: _, structure: __, ...fresh }: Page): boolean {
  return (Object.keys(fresh) as (keyof typeof fresh)[]).every((field) => stored[field] === fresh[field]);
}
