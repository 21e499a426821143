import { crc32 } from 'node:zlib';
import { endOf } from '../../../src/index/segment/dictionary/ranges.ts';
import { kindsOfVersions, type PlainTerms } from '../../../src/index/segment/format.ts';
import { openSegment, type Segment } from '../../../src/index/segment/reader.ts';
import { hashBytes } from '../../../src/index/segment/term-bytes.ts';
import { examplePage } from '../../pages.ts';

const headerBytes = 24;
const entryBytes = 16;

/** The averages and the pages of test/samples/segments/version-2.seg, which was written before version 3. */
export const sampleAverages = [2, 3, 4, 20] as const;
export const samplePages = Array.from({ length: 9 }, (_, n) =>
  examplePage({
    url: `https://${n % 3}.example/${n}`,
    title: n % 2 ? `Leaf ${n}` : 'The heron',
    headings: 'Leaves',
    body: `running trees ${'leaf '.repeat(n)} 数据库 ${n % 7}. One more sentence.\nname() ends`,
    lang: n % 4 === 3 ? 'zh' : 'en',
  }),
);

/** A segment file as version 1 of the format has it: version 2 without the marks. */
export function asFirstVersion(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return asOlder(bytes, 1);
}

/** A segment file as version 2 of the format has it, made of one of a later version. */
export function asSecondVersion(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return asOlder(bytes, 2);
}

function asOlder(bytes: Uint8Array, version: 1 | 2): Uint8Array<ArrayBuffer> {
  const from = Buffer.from(bytes);
  const names = Object.keys(kindsOfVersions.get(version) ?? {});
  const sections: Record<string, Uint8Array> = { ...sectionsOf(from) };
  for (const [name, { buffer, byteOffset, byteLength }] of Object.entries(plainTerms(bytes)))
    sections[name] = new Uint8Array(buffer, byteOffset, byteLength);
  sections.postingPages = new Uint8Array(plainPages(bytes).buffer);
  const table = Buffer.alloc(names.length * entryBytes);
  const pieces: Uint8Array[] = [];
  let end = headerBytes + table.length;
  for (const [index, name] of names.entries()) {
    const section = sections[name] as Uint8Array;
    const gap = (8 - (end % 8)) % 8;
    pieces.push(Buffer.alloc(gap), section);
    for (const [field, value] of [index + 1, end + gap, section.length, crc32(section)].entries())
      table.writeUInt32LE(value, index * entryBytes + 4 * field);
    end += gap + section.length;
  }
  pieces.push(Buffer.alloc((8 - (end % 8)) % 8));
  const header = Buffer.alloc(headerBytes);
  header.write('GLEANSEG');
  header.writeUInt32LE(version, 8);
  header.writeUInt32LE(names.length, 12);
  header.writeUInt32LE(Math.ceil(end / 8) * 8, 16);
  header.writeUInt32LE(crc32(table, crc32(header.subarray(0, 20))), 20);
  return new Uint8Array(Buffer.concat([header, table, ...pieces]));
}

/** The bytes of the sections of a file of the current version. */
function sectionsOf(bytes: Buffer): Record<string, Uint8Array> {
  const names = Object.keys(kindsOfVersions.get(bytes.readUInt32LE(8)) ?? {});
  return Object.fromEntries(
    names.map((name, index) => {
      const entry = headerBytes + index * entryBytes;
      const start = bytes.readUInt32LE(entry + 4);
      return [name, bytes.subarray(start, start + bytes.readUInt32LE(entry + 8))];
    }),
  );
}

function plainTerms(bytes: Uint8Array): PlainTerms {
  const { dictionary, impacts } = segmentOf(bytes);
  const { termCount, termText, texts, postings, titles } = dictionary;
  const numbers = Array.from({ length: termCount }, (_, term) => term);
  const termHashes = Uint32Array.from(numbers, (term) =>
    hashBytes(termText, texts.start(term), endOf(texts, term)),
  );
  // The title lists follow the posting lists in one section.
  const titleOffsets = new Uint32Array(termCount + 1).fill(impacts.length);
  for (const term of numbers) titleOffsets[term + 1] = (titleOffsets[term] as number) + titles.count(term);
  return {
    termBuckets: bucketsOf(termHashes),
    termHashes,
    termOffsets: Uint32Array.from([...numbers.map((term) => texts.start(term)), termText.length]),
    termText,
    termStems: Uint32Array.from(numbers, (term) => dictionary.stemOf(term)),
    postingOffsets: Uint32Array.from([...numbers.map((term) => postings.start(term)), impacts.length]),
    titleOffsets,
  };
}

/** The posting lists of all terms, then their title lists, a number a page. */
function plainPages(bytes: Uint8Array): Uint16Array {
  const { dictionary, lists } = segmentOf(bytes);
  const pagesOf = (inTitle: boolean): number[] =>
    Array.from({ length: dictionary.termCount }, (_, term) => {
      const { pages, start, end } = lists.whole({ term, inTitle });
      return [...pages.subarray(start, end)];
    }).flat();
  return Uint16Array.from([...pagesOf(false), ...pagesOf(true)]);
}

/** At most two terms to a bucket, on average. */
function bucketsOf(hashes: Uint32Array): Uint32Array {
  const bits = Math.max(1, Math.ceil(Math.log2(Math.max(1, hashes.length / 2))));
  return Uint32Array.from(
    { length: 2 ** bits + 1 },
    (_, bucket) => hashes.filter((hash) => hash < bucket * 2 ** (32 - bits)).length,
  );
}

export function segmentOf(bytes: Uint8Array): Segment {
  const opened = openSegment(new Uint8Array(bytes).buffer);
  if (opened.kind === 'damaged') throw new Error(opened.why);
  return opened.segment;
}
