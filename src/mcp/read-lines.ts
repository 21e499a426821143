import type { Readable } from 'node:stream';

export interface LineHandlers {
  /** A line without its line break; never blank. */
  onLine(line: string): void;
  /** A line of more than `maxBytes`, which is dropped. */
  onTooLong(): void;
  readonly maxBytes: number;
}

const lineFeed = 0x0a;

/**
 * Reads a stream as lines of UTF-8. Blank lines are left out, and the last line needs no line break, which `printf` does not
 * write by itself. Passes on at once what it reads, so that nothing is left when the stream has ended.
 */
export function readLines(stream: Readable, { onLine, onTooLong, maxBytes }: LineHandlers): void {
  let parts: Buffer[] = [];
  let length = 0;
  const finish = (): void => {
    const line = Buffer.concat(parts);
    const isTooLong = length > maxBytes;
    parts = [];
    length = 0;
    if (isTooLong) onTooLong();
    else if (line.some((byte) => !isBlank(byte))) onLine(line.toString('utf8'));
  };
  stream.on('data', (chunk: Buffer | string) => {
    const bytes = Buffer.from(chunk as Buffer);
    for (let offset = 0; offset < bytes.length; ) {
      const feed = bytes.indexOf(lineFeed, offset);
      const end = feed === -1 ? bytes.length : feed;
      length += end - offset;
      if (length > maxBytes) parts = [];
      else parts.push(bytes.subarray(offset, end));
      if (feed !== -1) finish();
      offset = end + 1;
    }
  });
  stream.prependOnceListener('end', finish);
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}
