import { crc32 } from 'node:zlib';

/** docs/segment-format.md describes the file byte by byte. A change of the format needs a new version. */
const magic = [0x47, 0x4c, 0x45, 0x41, 0x4e, 0x53, 0x45, 0x47] as const;
const version = 1;
const headerBytes = 24;
const entryBytes = 16;

/** Page numbers are 16 bits wide. */
export const maxPages = 65_536;

/** The sections in the order of the file, with the array types of their items. */
export const sectionKinds = {
  averageLengths: Float64Array,
  termBuckets: Uint32Array,
  termHashes: Uint32Array,
  termOffsets: Uint32Array,
  termText: Uint8Array,
  termStems: Uint32Array,
  postingOffsets: Uint32Array,
  titleOffsets: Uint32Array,
  postingPages: Uint16Array,
  impacts: Uint8Array,
  pageIds: Uint8Array,
  crawlTimes: Float64Array,
  lengths: Uint32Array,
  langs: Uint16Array,
  langOffsets: Uint32Array,
  langText: Uint8Array,
  fileTypes: Uint8Array,
  hosts: Uint16Array,
  hostOffsets: Uint32Array,
  hostText: Uint8Array,
  pathOffsets: Uint32Array,
  pathText: Uint8Array,
} as const;

type SectionName = keyof typeof sectionKinds;
const names = Object.keys(sectionKinds) as SectionName[];

/** An array of a kind over any buffer, shared buffers included. */
type View<Kind> = Kind extends Uint8ArrayConstructor
  ? Uint8Array
  : Kind extends Uint16ArrayConstructor
    ? Uint16Array
    : Kind extends Uint32ArrayConstructor
      ? Uint32Array
      : Float64Array;

/** The sections of one segment, as arrays of their items. */
export type Sections = { readonly [Name in SectionName]: View<(typeof sectionKinds)[Name]> };

/** The bytes of a file with these sections, spanning their whole buffer. Throws `RangeError` for 4 GiB and more. */
export function writeSections(sections: Sections): Uint8Array<ArrayBuffer> {
  const offsets = sectionOffsets(names.map((name) => sections[name].byteLength));
  if (offsets.end > 0xffff_ffff) throw new RangeError('a segment file must be smaller than 4 GiB');
  const bytes = new Uint8Array(offsets.end);
  const table = new Uint32Array(bytes.buffer, headerBytes, (names.length * entryBytes) / 4);
  for (const [index, name] of names.entries()) {
    const { buffer, byteOffset, byteLength } = sections[name];
    const start = offsets.starts[index] as number;
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), start);
    table.set([index + 1, start, byteLength, crc32(bytes.subarray(start, start + byteLength))], index * 4);
  }
  bytes.set(magic);
  const header = new Uint32Array(bytes.buffer, 8, 4);
  header.set([version, names.length, bytes.length]);
  header[3] = headerCrc(bytes);
  return bytes;
}

/**
 * The sections of a file, or what is wrong with it. All arrays are within the file, with the right checksums. Without
 * `checksBytes`, the checksum of the header and the section table is looked at, and none of a section.
 */
export function readSections(buffer: ArrayBufferLike, checksBytes = true): Sections | string {
  const bytes = new Uint8Array(buffer);
  const offsets = sectionOffsets(names.map(() => 0));
  if (bytes.length < offsets.end) return 'shorter than its header';
  if (magic.some((byte, index) => bytes[index] !== byte)) return 'not a segment file';
  const [foundVersion, count, length, crc] = new Uint32Array(buffer, 8, 4);
  if (foundVersion !== version) return `version ${foundVersion}, not ${version}`;
  if (count !== names.length) return `${count} sections, not ${names.length}`;
  if (length !== bytes.length) return `${bytes.length} bytes long, not ${length}`;
  if (crc !== headerCrc(bytes)) return 'the checksum of the header is wrong';
  const table = new Uint32Array(buffer, headerBytes, (names.length * entryBytes) / 4);
  const { starts, end } = sectionOffsets(names.map((_, index) => table[index * 4 + 2] as number));
  if (end !== bytes.length) return 'the sections do not fill the file';
  const sections: Partial<Record<SectionName, Uint8Array>> = {};
  for (const [index, name] of names.entries()) {
    const start = starts[index] as number;
    const byteLength = table[index * 4 + 2] as number;
    if (table[index * 4] !== index + 1 || table[index * 4 + 1] !== start)
      return `section ${name} is misplaced`;
    if (byteLength % sectionKinds[name].BYTES_PER_ELEMENT !== 0) return `section ${name} ends within an item`;
    if (checksBytes && table[index * 4 + 3] !== crc32(bytes.subarray(start, start + byteLength)))
      return `the checksum of section ${name} is wrong`;
    const View = sectionKinds[name] as new (
      buffer: ArrayBufferLike,
      start: number,
      length: number,
    ) => Uint8Array;
    sections[name] = new View(buffer, start, byteLength / sectionKinds[name].BYTES_PER_ELEMENT);
  }
  return sections as unknown as Sections;
}

/** The offsets of sections with these lengths, and the end of the file, in bytes. */
function sectionOffsets(byteLengths: readonly number[]): { starts: number[]; end: number } {
  let end = headerBytes + byteLengths.length * entryBytes;
  const starts = byteLengths.map((length) => {
    const start = Math.ceil(end / 8) * 8;
    end = start + length;
    return start;
  });
  return { starts, end: Math.ceil(end / 8) * 8 };
}

/** The checksum of the whole header without the checksum itself: magic to length, then the section table. */
function headerCrc(bytes: Uint8Array): number {
  const table = bytes.subarray(headerBytes, headerBytes + names.length * entryBytes);
  return crc32(table, crc32(bytes.subarray(0, 20)));
}
