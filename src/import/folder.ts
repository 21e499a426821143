import { isUtf8 } from 'node:buffer';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { kindEndings } from '../extract/kinds/registry.ts';
import type { Document, RefusedItem } from './document.ts';

/** Parts of pages far more often than something to read. */
const scripts = new Set(['js', 'mjs', 'cjs', 'jsx', 'json']);

/** The media type by a file's extension; null: detected by the first bytes. Files with other extensions are not read. */
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
  '.csv': 'text/csv',
  '.tsv': 'text/tab-separated-values',
  // By their content alone: other JSON and XML, and a log that was numbered, are not read.
  '.json': 'application/json',
  '.xml': 'application/xml',
  ...Object.fromEntries(
    kindEndings.filter((ending) => !scripts.has(ending)).map((ending) => [`.${ending}`, null]),
  ),
  ...Object.fromEntries([...'123456789'].map((section) => [`.${section}`, 'text/troff'])),
  ...Object.fromEntries(
    'pdf doc docx odt rtf ppt pptx odp xls xlsx ods epub'.split(' ').map((ending) => [`.${ending}`, null]),
  ),
};

/** A file below a given path, with the part of its path that goes into its URL. */
export interface SourceFile {
  /** To be shown: bytes that are not UTF-8 are U+FFFD. */
  readonly path: string;
  /** Opens a file whose name is not UTF-8; otherwise `path` does. */
  readonly pathBytes?: Buffer;
  /** Percent-encoded, with `/` between its parts. */
  readonly relative: string;
  /** The error code of a folder that could not be read. */
  readonly locked?: string;
}

/** Every file at or below a path, in the order of names, and every unreadable folder. Skips hidden files and symbolic links. */
export async function* filesBelow(path: string): AsyncGenerator<SourceFile> {
  if ((await stat(path)).isFile()) yield fileAt(Buffer.from(path), encodePart(Buffer.from(basename(path))));
  else yield* filesIn(Buffer.from(path), '');
}

async function* filesIn(folder: Buffer, before: string): AsyncGenerator<SourceFile> {
  const entries = await readdir(folder, { withFileTypes: true, encoding: 'buffer' }).catch(
    (error) => error as NodeJS.ErrnoException,
  );
  if (entries instanceof Error) {
    yield { ...fileAt(folder, before), locked: entries.code ?? entries.name };
    return;
  }
  for (const entry of entries.sort((a, b) => Buffer.compare(a.name, b.name))) {
    if (entry.name[0] === dot) continue;
    const path = joined(folder, entry.name);
    const relative = before + encodePart(entry.name);
    if (entry.isDirectory()) yield* filesIn(path, `${relative}/`);
    else if (entry.isFile()) yield fileAt(path, relative);
  }
}

const dot = 0x2e;

function fileAt(path: Buffer, relative: string): SourceFile {
  return { path: path.toString(), ...(!isUtf8(path) && { pathBytes: path }), relative };
}

function joined(folder: Buffer, name: Buffer): Buffer {
  const path = Buffer.from(join(folder.toString('latin1'), name.toString('latin1')), 'latin1');
  return path;
}

/** A name as a part of a URL's path: its bytes, percent-encoded (RFC 3986 section 2.5). */
function encodePart(name: Buffer): string {
  if (isUtf8(name)) return encodeURIComponent(name.toString());
  return Array.from(name, (byte) => {
    const character = String.fromCharCode(byte);
    if (byte < 0x80) return encodeURIComponent(character);
    return `%${byte.toString(16).toUpperCase()}`;
  }).join('');
}

/** Whether a file is a WARC archive by its name. */
export function isArchive({ path }: Pick<SourceFile, 'path'>): boolean {
  return /\.w(?:arc|et)(?:\.gz)?$/i.test(path);
}

/** The URL of a file's page: below `base`, or a `file:` URL without one. */
export function urlOfFile({ path, pathBytes, relative }: SourceFile, base: string | undefined): string {
  if (base !== undefined) return new URL(relative, base).href;
  if (pathBytes === undefined) return pathToFileURL(path).href;
  // Only names of POSIX systems are bytes.
  const absolute = resolve(pathBytes.toString('latin1')).split('/');
  return `file://${absolute.map((part) => encodePart(Buffer.from(part, 'latin1'))).join('/')}`;
}

/** Reads a file that may be a page. Rejects when the file system refuses it. */
export async function readFileAsDocument(
  file: SourceFile,
  url: string,
  maxBytes: number,
): Promise<Document | RefusedItem> {
  const path = file.pathBytes ?? file.path;
  const contentType = readableEndings[extname(file.path).toLowerCase()];
  if (contentType === undefined) return { kind: 'refused', url, why: 'unsupported type' };
  if ((await stat(path)).size > maxBytes) return { kind: 'refused', url, why: 'too large' };
  return { kind: 'document', url, bytes: await readFile(path), contentType };
}
