import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The bytes at which this process may write no file any longer (`ulimit -f`, RLIMIT_FSIZE); infinite where there is no
 * limit, or the system does not say.
 */
function maxFileBytes(): number {
  try {
    const line = /^Max file size +(\d+) /m.exec(readFileSync('/proc/self/limits', 'utf8'));
    return line ? Number(line[1]) : Number.POSITIVE_INFINITY;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** Whether the store's file is so near to that limit that no more than `roomBytes` can be added to it. */
export function isAtFileSizeLimit(folder: string, roomBytes: number): boolean {
  const limit = maxFileBytes();
  if (limit === Number.POSITIVE_INFINITY) return false;
  const { size } = statSync(join(folder, 'store', 'data.mdb'), { throwIfNoEntry: false }) ?? { size: 0 };
  return size + roomBytes > limit;
}
