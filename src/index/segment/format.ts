import { crc32 } from 'node:zlib';
import type { FilePieces } from './file-pieces.ts';

/** docs/segment-format.md describes the file byte by byte. A change of the format needs a new version. */
const magic = [0x47, 0x4c, 0x45, 0x41, 0x4e, 0x53, 0x45, 0x47] as const;
const version = 3;
const headerBytes = 24;
const entryBytes = 16;

/** Page numbers are 16 bits wide. */
export const maxPages = 65_536;
/**
 * A new segment ends with the page whose texts reach this size, and merging makes no larger one. Bounds the memory of
 * packing, and keeps files far from 4 GiB.
 */
export const maxTextBytes = 256 * 1024 * 1024;

/** The sections of the dictionary. */
const termKinds = {
  termBuckets: Uint32Array,
  termTags: Uint8Array,
  termLengths: Uint8Array,
  termStarts: Uint32Array,
  termText: Uint8Array,
  stemBits: Uint32Array,
  termStems: Uint32Array,
  postingCounts: Uint8Array,
  postingStarts: Uint32Array,
  titleBits: Uint32Array,
  titleCounts: Uint8Array,
  titleStarts: Uint32Array,
} as const;

/** In their place, files of versions 1 and 2 have these. */
const plainTermKinds = {
  termBuckets: Uint32Array,
  termHashes: Uint32Array,
  termOffsets: Uint32Array,
  termText: Uint8Array,
  termStems: Uint32Array,
  postingOffsets: Uint32Array,
  titleOffsets: Uint32Array,
} as const;

/** The lists of the terms. */
const listKinds = {
  postingPages: Uint16Array,
  impacts: Uint8Array,
} as const;

/** The long lists of pages. Files of versions 1 and 2 have none: `postingPages` has all lists then. */
const longKinds = {
  longLists: Uint32Array,
  longPages: Uint32Array,
} as const;

/** What a search reads of the pages. */
const pageKinds = {
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

/** The sections after them, with the marks of the pages. Files of version 1 have none. */
const markKinds = {
  positions: Uint8Array,
  positionSkips: Uint32Array,
  pageTextOffsets: Uint32Array,
  pageText: Uint8Array,
  pageMarkOffsets: Uint32Array,
  pageMarks: Uint8Array,
  origins: Uint16Array,
  originOffsets: Uint32Array,
  originText: Uint8Array,
  siteNames: Uint16Array,
  siteNameOffsets: Uint32Array,
  siteNameText: Uint8Array,
} as const;

const averageKinds = { averageLengths: Float64Array } as const;

/** All sections of new files, with the array types of their items, in the order of the file. */
export const sectionKinds = {
  ...averageKinds,
  ...termKinds,
  ...listKinds,
  ...longKinds,
  ...pageKinds,
  ...markKinds,
} as const;

const compactKinds = { ...termKinds, ...longKinds } as const;
const firstKinds = { ...averageKinds, ...plainTermKinds, ...listKinds, ...pageKinds } as const;
const secondKinds = { ...firstKinds, ...markKinds } as const;

/** The sections of each version that can be read. */
export const kindsOfVersions: ReadonlyMap<number, Kinds> = new Map<number, Kinds>([
  [1, firstKinds],
  [2, secondKinds],
  [version, sectionKinds],
]);

type SectionName = keyof typeof sectionKinds | keyof typeof plainTermKinds;
type ItemKind =
  | Uint8ArrayConstructor
  | Uint16ArrayConstructor
  | Uint32ArrayConstructor
  | Float64ArrayConstructor;
type Kinds = { readonly [Name in SectionName]?: ItemKind };

/** An array of a kind over any buffer, shared buffers included. */
type View<Kind> = Kind extends Uint8ArrayConstructor
  ? Uint8Array
  : Kind extends Uint16ArrayConstructor
    ? Uint16Array
    : Kind extends Uint32ArrayConstructor
      ? Uint32Array
      : Float64Array;

type Views<Group> = { readonly [Name in keyof Group]: View<Group[Name]> };

/** The dictionary of a file of version 1 or 2, and of a segment that is being packed. */
export type PlainTerms = Views<typeof plainTermKinds>;
/** The dictionary of a file. */
export type CompactTerms = Views<typeof termKinds>;
/** The dictionary of a file, and its long lists. */
export type CompactSections = Views<typeof termKinds & typeof longKinds>;
export type ListSections = Views<typeof listKinds>;
export type LongSections = Views<typeof longKinds>;
/** What the second phase and the snippets read of a segment's pages. */
export type MarkSections = Views<typeof markKinds>;

type SearchSections = Views<typeof averageKinds> & ListSections & Views<typeof pageKinds>;

/** The sections of one segment, as arrays of their items. */
export type Sections = SearchSections & {
  readonly terms:
    | ({ readonly kind: 'compact' } & CompactSections)
    | ({ readonly kind: 'plain' } & PlainTerms);
  /** Undefined for a file of version 1. */
  readonly marks: MarkSections | undefined;
};

type Pieces = readonly Uint8Array[];

/** The marks of new sections. The texts come as the records of the pages, so that they are copied once. */
export interface WrittenMarks extends Omit<MarkSections, 'pageText' | 'pageMarks'> {
  readonly pageText: Pieces;
  readonly pageMarks: Pieces;
}

export type WrittenSections = SearchSections & {
  readonly terms: CompactSections;
  readonly marks: WrittenMarks;
};

/** A file with these sections. Throws `RangeError` for 4 GiB and more. */
export function writeSections({ terms, marks, ...search }: WrittenSections): FilePieces {
  const sections: { readonly [Name in keyof typeof sectionKinds]: ArrayBufferView | Pieces } = {
    ...search,
    ...terms,
    ...marks,
  };
  const names = namesOf(sectionKinds);
  const written = names.map((name) => piecesOf(sections[name]));
  const byteLengths = written.map(totalBytes);
  const { starts, end } = sectionOffsets(byteLengths);
  if (end > 0xffff_ffff) throw new RangeError('a segment file must be smaller than 4 GiB');
  const head = new Uint8Array(headerBytes + names.length * entryBytes);
  const table = new Uint32Array(head.buffer, headerBytes);
  const pieces: Uint8Array[] = [head];
  let length = head.length;
  for (const [index, section] of written.entries()) {
    const start = starts[index] as number;
    pieces.push(new Uint8Array(start - length));
    let crc = 0;
    for (const piece of section) {
      // For an empty array, Node 20's `crc32` may return 0 instead of the checksum so far.
      if (piece.length === 0) continue;
      pieces.push(piece);
      crc = crc32(piece, crc);
    }
    length = start + (byteLengths[index] as number);
    table.set([index + 1, start, length - start, crc], index * 4);
  }
  pieces.push(new Uint8Array(end - length));
  head.set(magic);
  const header = new Uint32Array(head.buffer, 8, 4);
  header.set([version, names.length, end]);
  header[3] = headerCrc(head, names.length);
  return { pieces, length: end };
}

function piecesOf(section: ArrayBufferView | Pieces): Pieces {
  if (!ArrayBuffer.isView(section)) return section;
  return [new Uint8Array(section.buffer, section.byteOffset, section.byteLength)];
}

/** The sum of the lengths of byte arrays. */
function totalBytes(pieces: Pieces): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/**
 * The sections of a file, or what is wrong with it. All arrays are within the file, with the right checksums. Without
 * `checksBytes`, the checksum of the header and the section table is looked at, and none of a section.
 */
export function readSections(buffer: ArrayBufferLike, checksBytes = true): Sections | string {
  const bytes = new Uint8Array(buffer);
  if (bytes.length < headerBytes) return 'shorter than its header';
  if (magic.some((byte, index) => bytes[index] !== byte)) return 'not a segment file';
  const [foundVersion = 0, count, length, crc] = new Uint32Array(buffer, 8, 4);
  const kinds = kindsOfVersions.get(foundVersion);
  if (kinds === undefined) return `version ${foundVersion}, not ${version}`;
  const names = namesOf(kinds);
  if (count !== names.length) return `${count} sections, not ${names.length}`;
  if (bytes.length < headerBytes + names.length * entryBytes) return 'shorter than its header';
  if (length !== bytes.length) return `${bytes.length} bytes long, not ${length}`;
  if (crc !== headerCrc(bytes, names.length)) return 'the checksum of the header is wrong';
  const table = new Uint32Array(buffer, headerBytes, (names.length * entryBytes) / 4);
  const { starts, end } = sectionOffsets(names.map((_, index) => table[index * 4 + 2] as number));
  if (end !== bytes.length) return 'the sections do not fill the file';
  const sections: Partial<Record<SectionName, Uint8Array>> = {};
  for (const [index, name] of names.entries()) {
    const start = starts[index] as number;
    const byteLength = table[index * 4 + 2] as number;
    if (table[index * 4] !== index + 1 || table[index * 4 + 1] !== start)
      return `section ${name} is misplaced`;
    const kind = kinds[name] as ItemKind;
    if (byteLength % kind.BYTES_PER_ELEMENT !== 0) return `section ${name} ends within an item`;
    if (checksBytes && table[index * 4 + 3] !== crc32(bytes.subarray(start, start + byteLength)))
      return `the checksum of section ${name} is wrong`;
    const View = kind as new (buffer: ArrayBufferLike, start: number, length: number) => Uint8Array;
    sections[name] = new View(buffer, start, byteLength / kind.BYTES_PER_ELEMENT);
  }
  const search = select(sections, {
    ...averageKinds,
    ...listKinds,
    ...pageKinds,
  }) as unknown as SearchSections;
  const marks = select(sections, markKinds) as unknown as MarkSections;
  const terms =
    kinds === sectionKinds
      ? { kind: 'compact' as const, ...(select(sections, compactKinds) as unknown as CompactSections) }
      : { kind: 'plain' as const, ...(select(sections, plainTermKinds) as unknown as PlainTerms) };
  return { ...search, terms, marks: marks.positions && marks };
}

function namesOf<Group extends object>(kinds: Group): (keyof Group)[] {
  return Object.keys(kinds) as (keyof Group)[];
}

function select(
  sections: { readonly [Name in SectionName]?: Uint8Array },
  kinds: Kinds,
): Record<string, Uint8Array | undefined> {
  return Object.fromEntries(namesOf(kinds).map((name) => [name, sections[name]]));
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
function headerCrc(bytes: Uint8Array, sectionCount: number): number {
  const table = bytes.subarray(headerBytes, headerBytes + sectionCount * entryBytes);
  return crc32(table, crc32(bytes.subarray(0, 20)));
}
