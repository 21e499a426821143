import { decodeCodePage } from '../code-page.ts';
import type { Properties } from '../properties.ts';
import type { OleFile } from './ole.ts';

const fileTimeEpochMs = Date.UTC(1601, 0, 1);
const maxProperties = 200;
const maxTextLength = 4000;

/** The SummaryInformation stream ([MS-OLEPS]): title, author and dates; empty when it is damaged. */
export function oleProperties(file: OleFile): Properties {
  try {
    const stream = file.read('\u0005SummaryInformation');
    return stream === undefined ? {} : readSet(stream);
  } catch {
    return {};
  }
}

function readSet(stream: Buffer): Properties {
  const from = stream.readUInt32LE(44);
  const offsets = new Map<number, number>();
  const count = Math.min(stream.readUInt32LE(from + 4), maxProperties);
  for (let index = 0; index < count; index++) {
    const entry = from + 8 + index * 8;
    offsets.set(stream.readUInt32LE(entry), from + stream.readUInt32LE(entry + 4));
  }
  const codePageAt = offsets.get(1);
  const codePage = codePageAt === undefined ? 1252 : stream.readUInt16LE(codePageAt + 4);
  const text = (id: number): string | undefined => {
    const offset = offsets.get(id);
    if (offset === undefined) return undefined;
    const type = stream.readUInt32LE(offset);
    const length = Math.min(stream.readUInt32LE(offset + 4), maxTextLength);
    const raw = stream.subarray(offset + 8, offset + 8 + (type === 31 ? length * 2 : length));
    const isWide = type === 31 || codePage === 1200;
    const decoded = isWide ? raw.toString('utf16le') : decodeCodePage(raw, codePage);
    return decoded.replace(/\0[\s\S]*$/, '');
  };
  const time = (id: number): number | undefined => {
    const offset = offsets.get(id);
    if (offset === undefined || stream.readUInt32LE(offset) !== 64) return undefined;
    const ms = Number(stream.readBigUInt64LE(offset + 4) / 10_000n);
    return ms === 0 ? undefined : fileTimeEpochMs + ms;
  };
  return {
    title: text(2),
    author: text(4),
    description: text(6) || text(3),
    created: time(12),
    modified: time(13),
  };
}
