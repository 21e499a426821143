/** A record of a PowerPoint stream ([MS-PPT] 2.3.1), or of the drawings in it, which have the same header. */
export interface PptRecord {
  readonly type: number;
  readonly instance: number;
  /** Where its content begins, and how many bytes of it there are in the stream. */
  readonly from: number;
  readonly length: number;
  readonly isContainer: boolean;
}

/** Holds text records, without the version that makes a container. */
const clientTextbox = 0xf00d;
const maxDepth = 30;

/** The record at an offset; undefined outside the stream. A length past the end is cut. */
export function recordAt(stream: Buffer, at: number): PptRecord | undefined {
  if (at < 0 || at + 8 > stream.length) return undefined;
  const head = stream.readUInt16LE(at);
  const type = stream.readUInt16LE(at + 2);
  return {
    type,
    instance: head >> 4,
    from: at + 8,
    length: Math.min(stream.readUInt32LE(at + 4), stream.length - at - 8),
    isContainer: (head & 0xf) === 0xf || type === clientTextbox,
  };
}

export function childrenOf(stream: Buffer, { from, length }: PptRecord): PptRecord[] {
  const found: PptRecord[] = [];
  const until = from + length;
  for (let at = from; at + 8 <= until; ) {
    const record = recordAt(stream, at);
    if (record === undefined) break;
    found.push({ ...record, length: Math.min(record.length, until - record.from) });
    at = record.from + record.length;
  }
  return found;
}

/** Visits what is inside a record, depth first in stream order, down to 30 levels. */
export function walkRecords(
  stream: Buffer,
  record: PptRecord,
  visit: (record: PptRecord) => void,
  depth = 0,
): void {
  for (const child of childrenOf(stream, record)) {
    visit(child);
    if (child.isContainer && depth < maxDepth) walkRecords(stream, child, visit, depth + 1);
  }
}
