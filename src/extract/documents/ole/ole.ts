import { RefusedDocument } from '../refused.ts';

export interface OleFile {
  /** Names of the streams in the root, as written, without those of embedded files. */
  readonly names: readonly string[];
  /** A stream of the root; names are case-insensitive. Undefined without one. Throws `RefusedDocument` for damage. */
  read(name: string): Buffer | undefined;
}

interface Stream {
  readonly name: string;
  readonly start: number;
  readonly length: number;
}

const headerBytes = 512;
const endOfChain = 0xfffffffe;
const lastSector = 0xfffffff9;
const entryBytes = 128;
const maxEntries = 20_000;
const none = 0xffffffff;

/**
 * Opens an OLE compound file ([MS-CFB]). A stream is assembled only when it is read. A chain of sectors is never longer
 * than the number of sectors in the file.
 */
export function openOle(bytes: Uint8Array): OleFile {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (buffer.length < headerBytes) throw new RefusedDocument('damaged file');
  const sectorBytes = 1 << Math.min(buffer.readUInt16LE(0x1e), 16);
  const miniBytes = 1 << Math.min(buffer.readUInt16LE(0x20), 16);
  const miniCutoff = buffer.readUInt32LE(0x38);
  if (sectorBytes < headerBytes || miniBytes < 32) throw new RefusedDocument('damaged file');

  const sector = (index: number): Buffer => {
    const offset = (index + 1) * sectorBytes;
    if (offset >= buffer.length) throw new RefusedDocument('damaged file');
    return buffer.subarray(offset, offset + sectorBytes);
  };
  const table = readTable(buffer, sector, sectorBytes);
  const chain = (start: number, maxBytes: number): Buffer => {
    const parts: Buffer[] = [];
    let length = 0;
    for (let sectorIndex = start, steps = 0; sectorIndex < lastSector && length < maxBytes; steps++) {
      if (steps > table.length) throw new RefusedDocument('damaged file');
      const part = sector(sectorIndex);
      parts.push(part);
      length += part.length;
      sectorIndex = table[sectorIndex] ?? endOfChain;
    }
    return Buffer.concat(parts);
  };

  const directory = chain(buffer.readUInt32LE(0x30), maxEntries * entryBytes);
  const { root, streams } = readRoot(directory);
  const miniTable = words(chain(buffer.readUInt32LE(0x3c), buffer.length));
  let miniStream: Buffer | undefined;

  const readMini = ({ start, length }: Stream): Buffer => {
    miniStream ??= chain(root.start, root.length);
    const parts: Buffer[] = [];
    for (
      let sectorIndex = start, steps = 0;
      sectorIndex < lastSector && parts.length * miniBytes < length;
      steps++
    ) {
      if (steps > miniTable.length || sectorIndex * miniBytes >= miniStream.length)
        throw new RefusedDocument('damaged file');
      parts.push(miniStream.subarray(sectorIndex * miniBytes, (sectorIndex + 1) * miniBytes));
      sectorIndex = miniTable[sectorIndex] ?? endOfChain;
    }
    return Buffer.concat(parts);
  };
  return {
    names: streams.map(({ name }) => name),
    read(name) {
      const stream = streams.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase());
      if (stream === undefined) return undefined;
      const content = stream.length < miniCutoff ? readMini(stream) : chain(stream.start, stream.length);
      return content.subarray(0, stream.length);
    },
  };
}

function words(buffer: Buffer): number[] {
  const numbers: number[] = [];
  for (let offset = 0; offset + 4 <= buffer.length; offset += 4) numbers.push(buffer.readUInt32LE(offset));
  return numbers;
}

/** The sector allocation table. Its own sectors are listed in the header and in a chain of further lists. */
function readTable(buffer: Buffer, sector: (index: number) => Buffer, sectorBytes: number): number[] {
  const maxSectors = Math.ceil(buffer.length / sectorBytes);
  const tableSectors = words(buffer.subarray(0x4c, headerBytes));
  let next = buffer.readUInt32LE(0x44);
  for (let steps = 0; next < lastSector && steps <= maxSectors; steps++) {
    const list = words(sector(next));
    next = list.pop() ?? endOfChain;
    tableSectors.push(...list);
  }
  const table: number[] = [];
  for (const sectorIndex of tableSectors.slice(0, buffer.readUInt32LE(0x2c))) {
    if (sectorIndex >= lastSector || table.length > maxSectors + sectorBytes) break;
    for (const word of words(sector(sectorIndex))) table.push(word);
  }
  return table;
}

/** The root entry and the streams directly below it; storages contain other files. */
function readRoot(directory: Buffer): { root: Stream; streams: Stream[] } {
  const entryAt = (index: number): Buffer => directory.subarray(index * entryBytes, (index + 1) * entryBytes);
  const streamOf = (entry: Buffer): Stream => ({
    name: entry.toString('utf16le', 0, Math.max(0, Math.min(64, entry.readUInt16LE(64)) - 2)),
    start: entry.readUInt32LE(116),
    length: entry.readUInt32LE(120),
  });
  const first = entryAt(0);
  if (first.length < entryBytes) throw new RefusedDocument('damaged file');
  const streams: Stream[] = [];
  const seen = new Set<number>();
  const open = [first.readUInt32LE(76)];
  while (open.length > 0) {
    const index = open.pop() ?? none;
    const entry = entryAt(index);
    if (index === none || seen.has(index) || entry.length < entryBytes) continue;
    seen.add(index);
    if (entry[66] === 2) streams.push(streamOf(entry));
    open.push(entry.readUInt32LE(68), entry.readUInt32LE(72));
  }
  return { root: streamOf(first), streams };
}
