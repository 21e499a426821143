import type { Page } from '../../../page.ts';
import { likenessOf } from '../../../text/passages/likeness.ts';
import { passageMarks } from '../../../text/passages/passage-marks.ts';
import type { ByteSlabs } from './byte-slabs.ts';
import type { TextLengths } from './page-text.ts';
import { RecordReader, RecordWriter } from './record-bytes.ts';
import { writeStretches } from './stretch-list.ts';

/** In the flags of a record: which of the fields that may be absent are there. */
const hasSiteName = 1;
const hasPublishedAt = 2;
const hasLinkShare = 4;

const likenessBytes = 8;

/** An address in the three parts that segments store, origin, path and rest, and its host name. */
export interface AddressParts {
  readonly hostname: string;
  /** Empty if the address is not written as its parts: `rest` is the whole then. */
  readonly origin: string;
  readonly pathname: string;
  readonly rest: string;
}

export function addressParts(url: string): AddressParts {
  const { hostname, origin, pathname } = new URL(url);
  const beginning = origin + pathname;
  return url.startsWith(beginning)
    ? { hostname, origin, pathname, rest: url.slice(beginning.length) }
    : { hostname, origin: '', pathname, rest: url };
}

const writer = new RecordWriter();
const sentenceWriter = new RecordWriter();

/** Adds what a segment keeps of a page apart from its terms, its columns and its texts; docs/segment-format.md has the bytes. */
export function writeMarkRecord(
  page: Page,
  { rest }: AddressParts,
  lengths: TextLengths,
  slabs: ByteSlabs,
): void {
  const { title, headings, body, siteName, publishedAt, linkShare } = page;
  writer.end = 0;
  sentenceWriter.end = 0;
  writer.byte(
    (siteName === null ? 0 : hasSiteName) |
      (publishedAt === null ? 0 : hasPublishedAt) |
      (linkShare === undefined ? 0 : hasLinkShare),
  );
  writer.append(Buffer.from(likenessOf(title, body, body), 'hex'));
  if (publishedAt !== null) writer.float64(publishedAt);
  if (linkShare !== undefined) writer.float64(linkShare);
  for (const length of [lengths.headings, lengths.headingsBytes, lengths.body, lengths.bodyBytes])
    writer.varint(length);
  for (const text of [title, rest]) {
    const bytes = Buffer.from(text);
    writer.varint(bytes.length);
    writer.append(bytes);
  }
  const { sentences, nameLines } = passageMarks({ body, title, headings });
  writeStretches(sentences, sentenceWriter);
  writer.varint(sentenceWriter.end);
  writer.append(sentenceWriter.bytes, 0, sentenceWriter.end);
  writeStretches(nameLines, writer);
  slabs.add(writer.end).set(writer.bytes.subarray(0, writer.end));
}

/** The beginning of a record. Offsets are into the bytes of all records. */
export interface MarkRecord extends TextLengths {
  readonly hasSiteName: boolean;
  readonly publishedAt: number | null;
  readonly linkShare: number | undefined;
  /** Where their bytes are: see `readRecordText`. */
  readonly titleStart: number;
  readonly titleEnd: number;
  readonly restStart: number;
  readonly restEnd: number;
  /** Where the list of the sentences begins, and that of the name lines. */
  readonly sentences: number;
  readonly nameLines: number;
}

export function readMarkRecord(bytes: Buffer, start: number): MarkRecord {
  const reader = new RecordReader(bytes, start);
  const flags = reader.byte();
  reader.offset += likenessBytes;
  const publishedAt = (flags & hasPublishedAt) === 0 ? null : reader.float64();
  const linkShare = (flags & hasLinkShare) === 0 ? undefined : reader.float64();
  const headings = reader.varint();
  const headingsBytes = reader.varint();
  const body = reader.varint();
  const bodyBytes = reader.varint();
  const titleBytes = reader.varint();
  const titleStart = reader.offset;
  const titleEnd = titleStart + titleBytes;
  reader.offset = titleEnd;
  const restBytes = reader.varint();
  const restStart = reader.offset;
  const restEnd = restStart + restBytes;
  reader.offset = restEnd;
  const sentencesBytes = reader.varint();
  return {
    hasSiteName: (flags & hasSiteName) !== 0,
    publishedAt,
    linkShare,
    headings,
    headingsBytes,
    body,
    bodyBytes,
    titleStart,
    titleEnd,
    restStart,
    restEnd,
    sentences: reader.offset,
    nameLines: reader.offset + sentencesBytes,
  };
}

/** The text of a record that is between two offsets. */
export function readRecordText(bytes: Buffer, start: number, end: number): string {
  return start === end ? '' : bytes.toString('utf8', start, end);
}

/** The likeness of the page whose record begins at an offset. */
export function readLikeness(bytes: Buffer, start: number): string {
  return bytes.toString('hex', start + 1, start + 1 + likenessBytes);
}
