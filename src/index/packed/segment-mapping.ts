import type { Log } from '../../runtime.ts';
import { canMapValueFiles, type LmdbGuard, mapValueFile } from '../../store/lmdb/map-value-file.ts';

/** Segments of this size and more are written so that they can be mapped. Smaller ones stay on the heap. */
const minMappedBytes = 1024 * 1024;

/** Whether and how segment files are mapped into memory. */
export interface SegmentMapping {
  /** Segments of this size and more are written so that they can be mapped, whether or not this process maps them. */
  readonly minBytes: number;
  /** Whether files are mapped: not where it is turned off, on machines without it, and after a failure. */
  isUsable(): boolean;
  /** A view of the segment in a file whose frame was checked; undefined if it has to be read instead. */
  map(path: string, byteLength: number): ArrayBufferLike | undefined;
}

export interface SegmentMappingOptions {
  readonly log: Pick<Log, 'info'>;
  readonly enabled?: boolean;
  readonly minBytes?: number;
  readonly guard?: LmdbGuard;
}

/** After the first file that cannot be mapped, which is logged, all others are read. */
export function createSegmentMapping({
  log,
  enabled = true,
  minBytes = minMappedBytes,
  guard,
}: SegmentMappingOptions): SegmentMapping {
  let usable = enabled && canMapValueFiles();
  return {
    minBytes,
    isUsable: () => usable,
    map: (path, byteLength) => {
      if (!usable) return undefined;
      try {
        return mapValueFile(path, byteLength, guard);
      } catch (error) {
        usable = false;
        log.info({ err: error, file: path }, 'segments of the index are read, because they cannot be mapped');
        return undefined;
      }
    },
  };
}
