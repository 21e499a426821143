/** A record of a PowerPoint stream ([MS-PPT] 2.3.1) or of its drawings, which have the same header. */
export interface PptRecord {
  readonly type: number;
  readonly instance: number;
  /** The offset of its content, and the bytes of it in the stream. */
  readonly from: number;
  readonly length: number;
  readonly isContainer: boolean;
}

/** Contains text records, though its version is not that of a container. */
const clientTextbox = 0xf00d;
const maxDepth = 30;

/** The record at an offset; undefined outside the stream. A length past the end is cut. */
export function recordAt(stream: Buffer, offset: number): PptRecord | undefined {
  if (offset < 0 || offset + 8 > stream.length) return undefined;
  const head = stream.readUInt16LE(offset);
  const type = stream.readUInt16LE(offset + 2);
  return {
    type,
    instance: head >> 4,
    from: offset + 8,
    length: Math.min(stream.readUInt32LE(offset + 4), stream.length - offset - 8),
    isContainer: (head & 0xf) === 0xf || type === clientTextbox,
  };
}

export function childRecordsOf(stream: Buffer, { from, length }: PptRecord): PptRecord[] {
  const children: PptRecord[] = [];
  const until = from + length;
  for (let offset = from; offset + 8 <= until; ) {
    const record = recordAt(stream, offset);
    if (record === undefined) break;
    children.push({ ...record, length: Math.min(record.length, until - record.from) });
    offset = record.from + record.length;
  }
  return children;
}

/** Visits the descendants of a record, depth first in stream order, at most 30 levels deep. */
export function walkRecords(
  stream: Buffer,
  record: PptRecord,
  visit: (record: PptRecord) => void,
  depth = 0,
): void {
  for (const child of childRecordsOf(stream, record)) {
    visit(child);
    if (child.isContainer && depth < maxDepth) walkRecords(stream, child, visit, depth + 1);
  }
}
