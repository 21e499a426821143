import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { BrokenArchive, type ByteReader, createByteReader } from './byte-reader.ts';
import type { Document, Refused } from './document.ts';
import { contentOf, parseFields, parseHttpMessage } from './http-message.ts';

/** What an archive holds, one item a record that may be a page; `refused` without a URL ends the archive. */
export type ArchiveItem = Document | Refused;

const maxHeadBytes = 256 * 1024;
/** A record's block may be this much longer than a page, for its HTTP headers and chunk sizes. */
const headRoom = 1024 * 1024;
/** Our pages do not come from there, though archives hold them: requests, crawl logs, robots.txt. */
const pageTypes = new Set(['response', 'resource', 'conversion']);

/**
 * Reads the pages of a WARC file (ISO 28500; WARC/0.17 to 1.1), gzipped record by record, as a whole, or not at all.
 * Holds one record at a time. Never throws on what the file holds: what cannot be read is `refused`, and damage that
 * hides the rest ends the file with a `refused` that has no URL.
 */
export async function* readWarc(path: string, maxBytes: number): AsyncGenerator<ArchiveItem> {
  const file = createReadStream(path, { highWaterMark: 256 * 1024 });
  const stream = (await isGzip(path)) ? pipeline(file, createGunzip(), () => {}) : file;
  try {
    yield* readRecords(createByteReader(stream), maxBytes);
  } catch (error) {
    const why = whyBroken(error);
    if (why === undefined) throw error;
    yield { kind: 'refused', url: null, why };
  } finally {
    stream.destroy();
    file.destroy();
  }
}

async function* readRecords(reader: ByteReader, maxBytes: number): AsyncGenerator<ArchiveItem> {
  for (;;) {
    const head = await reader.head(maxHeadBytes);
    if (head === undefined) return;
    const [version = '', ...lines] = head.split(/\r?\n/);
    if (!/^WARC\/\d+\.\d+\s*$/.test(version)) throw new BrokenArchive('not a WARC record');
    const fields = parseFields(lines);
    const length = /^\d{1,15}$/.test(fields['content-length'] ?? '') ? Number(fields['content-length']) : -1;
    if (length < 0) throw new BrokenArchive('a record without a length');
    const type = fields['warc-type']?.toLowerCase() ?? '';
    const url = (fields['warc-target-uri'] ?? '').replace(/^<(.*)>$/, '$1');
    if (!pageTypes.has(type) || !isPageUrl(url)) await reader.skip(length);
    else if (length > maxBytes + headRoom) {
      await reader.skip(length);
      yield { kind: 'refused', url, why: 'too large' };
    } else {
      const block = await reader.take(length);
      yield type === 'response'
        ? await responseItem(url, fields, block, maxBytes)
        : { kind: 'document', url, bytes: block, ...about(fields, fields['content-type'] ?? null) };
    }
  }
}

async function responseItem(
  url: string,
  fields: Record<string, string>,
  block: Uint8Array,
  maxBytes: number,
): Promise<ArchiveItem> {
  const message = parseHttpMessage(block);
  if (message === undefined) return { kind: 'refused', url, why: 'not valid HTTP' };
  if (message.status !== 200) return { kind: 'refused', url, why: `status ${message.status}` };
  const content = await contentOf(message, maxBytes);
  if (content.kind === 'refused') return { kind: 'refused', url, why: content.why };
  const { headers } = message;
  const robotsTag = headers['x-robots-tag'];
  return {
    kind: 'document',
    url,
    bytes: content.bytes,
    ...about(fields, headers['content-type'] ?? null),
    ...(robotsTag !== undefined && { robotsTag }),
  };
}

function about(fields: Record<string, string>, contentType: string | null) {
  const crawledAt = Date.parse(fields['warc-date'] ?? '');
  return { contentType, ...(Number.isFinite(crawledAt) && { crawledAt }) };
}

function isPageUrl(url: string): boolean {
  return /^https?:\/\//i.test(url) && !/^https?:\/\/[^/]*\/robots\.txt$/i.test(url);
}

/** Undefined for an error that has nothing to do with what the file holds. */
function whyBroken(error: unknown): string | undefined {
  if (error instanceof BrokenArchive) return error.message;
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'Z_BUF_ERROR') return 'cut short';
  if (code?.startsWith('Z_')) return 'damaged compression';
  return undefined;
}

async function isGzip(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await file.close();
  }
}
