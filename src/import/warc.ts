import { createHash } from 'node:crypto';
import { type ArchiveBytes, openArchiveBytes, type Path } from './archive-bytes.ts';
import { BrokenArchive, createByteReader } from './byte-reader.ts';
import type { Damage, Document, RefusedItem } from './document.ts';
import { contentOf, parseFields, parseHttpMessage } from './http-message.ts';

/** The content of an archive: one item for each record that may be a page, and one for each damaged place. */
export type ArchiveItem = Document | RefusedItem | Damage;

const maxHeadBytes = 256 * 1024;
/** Extra bytes of a record's block beyond the page, for HTTP headers and chunk sizes. */
const headRoom = 1024 * 1024;
/** Other records, such as requests, crawl logs and metadata, are no pages. */
const pageTypes = new Set(['response', 'resource', 'conversion']);
/** Maximum bytes of a file that are searched again for records, because a block had a wrong length. */
const maxRescannedBytes = 1024 * 1024 * 1024;

/**
 * Reads the pages of a WARC file (ISO 28500; WARC/0.17 to 1.1), gzipped record by record, as a whole, or not at all.
 * Holds one record at a time. Never throws because of the file's content: every readable response, resource and
 * conversion is a document or `refused`; a damaged place is an item of kind `damaged`, and reading goes on with the next
 * record that can be found.
 */
export async function* readWarc(path: Path, maxBytes: number): AsyncGenerator<ArchiveItem> {
  const archive = await openArchiveBytes(path);
  try {
    const budget = { rescannedBytes: 0 };
    let from: Start | undefined = { offset: 0 };
    while (from !== undefined) from = yield* readFrom(archive, from, { maxBytes, budget });
  } finally {
    await archive.close();
  }
}

/** Where reading begins, or begins again; with `why`, the next record has to be searched. */
interface Start {
  readonly offset: number;
  readonly why?: string;
}

interface Limits {
  readonly maxBytes: number;
  readonly budget: { rescannedBytes: number };
}

/** Reads to the end of the file, or to where it has to begin again. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a generator: what it yields cannot move into functions of their own
async function* readFrom(
  archive: ArchiveBytes,
  { offset, why }: Start,
  { maxBytes, budget }: Limits,
): AsyncGenerator<ArchiveItem, Start | undefined> {
  const reader = createByteReader(archive.pieces(offset));
  let again: Start | undefined;
  let begun = 0;

  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the record types of WARC, with damage at any point
  const readRecord = async (): Promise<ArchiveItem | 'none' | 'end'> => {
    begun = 0;
    if (!(await reader.skipLineEnds())) return 'end';
    const start = reader.position;
    begun = 1;
    const [, ...lines] = (await reader.head(maxHeadBytes)).split(/\r?\n/);
    const fields = parseFields(lines);
    const length = /^\d{1,15}$/.test(fields['content-length'] ?? '') ? Number(fields['content-length']) : -1;
    if (length < 0) throw new BrokenArchive('a record without a length');
    // The length is known to be wrong: the bytes up to the end of the file are searched for records.
    if (!archive.isPacked && offset + reader.position + length > archive.size)
      throw new BrokenArchive('cut short');
    const type = fields['warc-type']?.toLowerCase() ?? '';
    const url = (fields['warc-target-uri'] ?? '').replace(/^<(.*)>$/, '$1');
    if (length > maxBytes + headRoom) {
      const blockStart = offset + reader.position;
      await reader.skip(length);
      if ((await reader.ending()) === 'something else') {
        budget.rescannedBytes += length;
        if (!archive.isPacked) again = { offset: blockStart, why: wrongLength };
        throw new BrokenArchive(wrongLength);
      }
      return pageTypes.has(type) ? { kind: 'refused', url, why: 'too large' } : 'none';
    }
    const block = await reader.take(length);
    const end = reader.position;
    const ending = await reader.ending();
    const hasDigest = digestCheck(block, fields['warc-block-digest']);
    if (ending === 'something else' && hasDigest !== true) {
      reader.unread(block);
      budget.rescannedBytes += block.length;
      throw new BrokenArchive(wrongLength);
    }
    const { doubtful } = reader;
    if (start < doubtful.end && end > doubtful.start) {
      // Without a digest: in a damaged member, a record that another one follows is most likely before the damage.
      const isFollowed = ending === 'record' && start >= doubtful.start && end < doubtful.end;
      if (!(hasDigest ?? isFollowed)) throw new BrokenArchive(doubtful.why);
    }
    if (!pageTypes.has(type)) return 'none';
    if (isRobotsTxt(url)) return { kind: 'refused', url, why: 'robots.txt' };
    if (!isPageUrl(url)) return { kind: 'refused', url, why: 'not the address of a page' };
    return type === 'response'
      ? responseItem(url, fields, block, maxBytes)
      : { kind: 'document', url, bytes: block, ...about(fields, fields['content-type'] ?? null) };
  };

  for (let isBroken = why !== undefined; ; isBroken = false) {
    const start = reader.position;
    const gapsBefore = { ...reader.gaps };
    try {
      if (isBroken) throw new BrokenArchive(why);
      const item = await readRecord();
      if (item === 'end') return undefined;
      if (item !== 'none') yield item;
    } catch (error) {
      if (!(error instanceof BrokenArchive)) throw error;
      const { doubtful } = reader;
      const isDoubtful = start < doubtful.end && reader.position > doubtful.start;
      const isTooMuch = budget.rescannedBytes > maxRescannedBytes;
      if (again !== undefined && !isTooMuch) return again;
      const isMore = !isTooMuch && (await reader.seekRecord());
      const gapBytes = reader.gaps.bytes - gapsBefore.bytes;
      const gaps = reader.gaps.count - gapsBefore.count;
      const inGaps = error.message === 'damaged compression' ? gaps : Math.max(0, gaps - 1);
      yield {
        kind: 'damaged',
        why: isTooMuch ? 'too much damage' : isDoubtful ? doubtful.why : error.message,
        lostBytes: gapBytes > 0 ? gapBytes : reader.position - start,
        lostRecords: Math.max(isBroken ? 1 : begun, inGaps),
      };
      if (!isMore) return undefined;
    }
  }
}

const wrongLength = 'a record of another length than it says';

/** Whether a block matches its record's digest; undefined without a digest of a known kind. */
function digestCheck(block: Uint8Array, digest: string | undefined): boolean | undefined {
  const [, name = '', value = ''] = /^(sha1|sha256|md5):(\S+)$/i.exec(digest ?? '') ?? [];
  if (name === '') return undefined;
  const hash = createHash(name.toLowerCase()).update(block).digest();
  return (
    value.toLowerCase() === hash.toString('hex') || value.toUpperCase().replace(/=+$/, '') === base32(hash)
  );
}

/** RFC 4648 section 6, without padding. */
function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups
    .map((group) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(group.padEnd(5, '0'), 2)])
    .join('');
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
  return /^https?:\/\//i.test(url);
}

function isRobotsTxt(url: string): boolean {
  return /^https?:\/\/[^/]*\/robots\.txt$/i.test(url);
}
