import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Document, Refused } from './document.ts';

/** The media type by a file's ending; null lets the first bytes tell. Files with other endings are not read. */
const readableEndings: Readonly<Record<string, string | null>> = {
  '': null,
  '.html': 'text/html',
  '.htm': 'text/html',
  '.shtml': 'text/html',
  '.xhtml': 'application/xhtml+xml',
  '.md': 'text/markdown',
  '.markdown': 'text/markdown',
  '.mdown': 'text/markdown',
  '.mkd': 'text/markdown',
  '.txt': 'text/plain',
  '.text': 'text/plain',
  '.rst': 'text/x-rst',
  '.csv': 'text/csv',
  '.tsv': 'text/tab-separated-values',
  ...Object.fromEntries(
    'pdf doc docx odt rtf ppt pptx odp xls xlsx ods epub'.split(' ').map((ending) => [`.${ending}`, null]),
  ),
};

/** A file below a path that was given, with the part of its path that goes into its URL. */
export interface FoundFile {
  readonly path: string;
  /** With `/` between its parts. */
  readonly relative: string;
  /** Of a folder that could not be looked into: the code of the error. */
  readonly locked?: string;
}

/** Every file at or below a path, in the order of their names, and every folder that cannot be looked into. Hidden files and symbolic links are left out. */
export async function* filesBelow(path: string): AsyncGenerator<FoundFile> {
  if ((await stat(path)).isFile()) {
    yield { path, relative: basename(path) };
    return;
  }
  yield* filesIn(path, '');
}

async function* filesIn(folder: string, before: string): AsyncGenerator<FoundFile> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error) => error as Error);
  if (entries instanceof Error) {
    yield { path: folder, relative: before, locked: (entries as NodeJS.ErrnoException).code ?? entries.name };
    return;
  }
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    const relative = before + entry.name;
    if (entry.isDirectory()) yield* filesIn(path, `${relative}/`);
    else if (entry.isFile()) yield { path, relative };
  }
}

/** Whether a file is a WARC archive by its name. */
export function isArchive({ path }: FoundFile): boolean {
  return /\.w(?:arc|et)(?:\.gz)?$/i.test(path);
}

/** Where a file's page is: below `base`, or in the file system when there is none. */
export function urlOfFile({ path, relative }: FoundFile, base: string | undefined): string {
  if (base === undefined) return pathToFileURL(path).href;
  const encoded = relative.split(sep).join('/').split('/').map(encodeURIComponent).join('/');
  return new URL(encoded, base).href;
}

/** Reads a file that may be a page. Rejects when the file system refuses it. */
export async function readFileAsDocument(
  file: FoundFile,
  url: string,
  maxBytes: number,
): Promise<Document | Refused> {
  const contentType = readableEndings[extname(file.path).toLowerCase()];
  if (contentType === undefined) return { kind: 'refused', url, why: 'unsupported type' };
  if ((await stat(file.path)).size > maxBytes) return { kind: 'refused', url, why: 'too large' };
  return { kind: 'document', url, bytes: await readFile(file.path), contentType };
}
