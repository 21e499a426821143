/** A record of a workbook stream ([MS-XLS] 2.1.4). */
export interface BiffRecord {
  readonly type: number;
  readonly data: Buffer;
  /** The data, and that of the CONTINUE records after it. */
  readonly parts: readonly Buffer[];
}

const continueType = 0x3c;

/** The records of a stream, up to its end or to a truncated record. */
export function* readRecords(stream: Buffer): Generator<BiffRecord> {
  let offset = 0;
  const next = (): { type: number; data: Buffer } | undefined => {
    if (offset + 4 > stream.length) return undefined;
    const length = stream.readUInt16LE(offset + 2);
    return { type: stream.readUInt16LE(offset), data: stream.subarray(offset + 4, offset + 4 + length) };
  };
  for (let record = next(); record !== undefined; record = next()) {
    offset += 4 + record.data.length;
    const parts = [record.data];
    for (let more = next(); more?.type === continueType; more = next()) {
      parts.push(more.data);
      offset += 4 + more.data.length;
    }
    if (record.type !== 0 || record.data.length > 0) yield { ...record, parts };
  }
}
