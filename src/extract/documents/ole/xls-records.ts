/** A record of a workbook stream ([MS-XLS] 2.1.4). */
export interface BiffRecord {
  readonly type: number;
  readonly data: Buffer;
  /** The data, and that of the CONTINUE records after it. */
  readonly parts: readonly Buffer[];
}

const continueType = 0x3c;

/** The records of a stream, until it ends or one does not fit into it. */
export function* readRecords(stream: Buffer): Generator<BiffRecord> {
  let at = 0;
  const next = (): { type: number; data: Buffer } | undefined => {
    if (at + 4 > stream.length) return undefined;
    const length = stream.readUInt16LE(at + 2);
    return { type: stream.readUInt16LE(at), data: stream.subarray(at + 4, at + 4 + length) };
  };
  for (let record = next(); record !== undefined; record = next()) {
    at += 4 + record.data.length;
    const parts = [record.data];
    for (let more = next(); more?.type === continueType; more = next()) {
      parts.push(more.data);
      at += 4 + more.data.length;
    }
    if (record.type !== 0 || record.data.length > 0) yield { ...record, parts };
  }
}
