import { crc32 } from 'node:zlib';

const headerBytes = 24;
const entryBytes = 16;
/** What files of version 1 have: the first sections of the later versions. */
const sectionCount = 22;

/** A segment file as version 1 of the format has it, made of one of a later version. */
export function asFirstVersion(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const from = Buffer.from(bytes);
  const tableEnd = headerBytes + sectionCount * entryBytes;
  const table = Buffer.alloc(sectionCount * entryBytes);
  const pieces: Buffer[] = [];
  let end = tableEnd;
  for (let index = 0; index < sectionCount; index++) {
    const [number, start, length, crc] = [0, 4, 8, 12].map((field) =>
      from.readUInt32LE(headerBytes + index * entryBytes + field),
    ) as [number, number, number, number];
    const gap = (8 - (end % 8)) % 8;
    pieces.push(Buffer.alloc(gap), from.subarray(start, start + length));
    for (const [field, value] of [number, end + gap, length, crc].entries())
      table.writeUInt32LE(value, index * entryBytes + 4 * field);
    end += gap + length;
  }
  pieces.push(Buffer.alloc((8 - (end % 8)) % 8));
  const header = Buffer.alloc(headerBytes);
  header.write('GLEANSEG');
  header.writeUInt32LE(1, 8);
  header.writeUInt32LE(sectionCount, 12);
  header.writeUInt32LE(Math.ceil(end / 8) * 8, 16);
  header.writeUInt32LE(crc32(table, crc32(header.subarray(0, 20))), 20);
  return new Uint8Array(Buffer.concat([header, table, ...pieces]));
}
