import type { Log } from '../../runtime.ts';
import type { Tiers } from '../tiers.ts';
import {
  type ChangeLog,
  isOfLog,
  isUnchecked,
  type Manifest,
  manifestStamp,
  readManifest,
} from './manifest.ts';
import { openParts, readSegmentFiles, type SegmentFiles } from './segment-files.ts';
import type { SegmentMapping } from './segment-mapping.ts';

export interface ManifestWatcherOptions {
  /** The folder of the packed index. */
  readonly folder: string;
  readonly tiers: Tiers;
  readonly log: Log;
  readonly changeLog?: ChangeLog;
  readonly mapping: SegmentMapping;
}

/** Brings the segments that any process packs into this process's index. */
export interface ManifestWatcher {
  /** Adopts the manifest of the folder at once; `files` are bytes of its segments that were read before. */
  open(files?: SegmentFiles): void;
  /** Looks for a new manifest in the background, at most once in `checkIntervalMs`. */
  checkWhenDue(): void;
  /** Adopts the manifest that is there at the time of the call. */
  refresh(): Promise<void>;
  /** Whether the packed index cannot be used as it is, so that the next packing has to replace it. */
  needsPacking(): boolean;
  /** Adopts nothing any more. */
  close(): void;
}

const ofAnotherLog = 'is of another change log, as after the data folder was deleted or replaced';

/** How often the manifest is looked at. */
const checkIntervalMs = 200;
/** A segment that could not be read is tried again after this long: there may have been too many open files, or no memory. */
const unreadableRetryMs = 2000;

export function createManifestWatcher(options: ManifestWatcherOptions): ManifestWatcher {
  const { folder, tiers, log, changeLog, mapping } = options;
  let adoptedStamp: string | undefined;
  /** The manifest of which a segment could not be read, and when it is tried again. */
  let unreadable: { readonly stamp: string; readonly retryAt: number } | undefined;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let checking: Promise<void> | undefined;
  let needsPacking = false;
  let closed = false;
  const reportUnusable = createUnusableReport(log, folder);

  const adoptManifest = (stamp: string, manifest: Manifest, files?: SegmentFiles): void => {
    const opened = openParts(folder, manifest, { open: tiers.parts(), mapping, ...(files && { files }) });
    if (opened.kind === 'parts') {
      adoptedStamp = stamp;
      unreadable = undefined;
      needsPacking = isUnchecked(manifest);
      tiers.adopt(manifest, opened.parts);
      return;
    }
    // With a still newer manifest, the file may have been removed. Else it is damaged, and the change log has its pages.
    if (manifestStamp(folder) !== stamp) return;
    needsPacking = true;
    if (unreadable?.stamp !== stamp) {
      log.warn(
        { file: opened.file, why: opened.why },
        'a segment of the index cannot be read; it will be packed again',
      );
    }
    unreadable = { stamp, retryAt: performance.now() + unreadableRetryMs };
  };

  const isKnown = (stamp: string): boolean =>
    stamp === adoptedStamp || (stamp === unreadable?.stamp && performance.now() < unreadable.retryAt);

  /** The manifest of the folder, unless it is adopted already or cannot be used. */
  const newManifest = (): { stamp: string; manifest: Manifest } | undefined => {
    checkedAt = performance.now();
    const stamp = manifestStamp(folder);
    if (stamp === undefined || isKnown(stamp)) return undefined;
    const manifest = readManifest(folder);
    if (manifest && (changeLog === undefined || isOfLog(manifest, changeLog))) return { stamp, manifest };
    needsPacking = true;
    reportUnusable(stamp, manifest ? ofAnotherLog : 'cannot be read');
    return undefined;
  };

  const checkNow = async (): Promise<void> => {
    const next = newManifest();
    if (next === undefined) return;
    const files = await readSegmentFiles(folder, next.manifest, { open: tiers.parts(), mapping });
    if (!closed) adoptManifest(next.stamp, next.manifest, files);
  };

  const check = (): Promise<void> => {
    checking ??= checkNow()
      .catch((error: unknown) => log.error({ err: error }, 'what was packed could not be taken over'))
      .finally(() => {
        checking = undefined;
      });
    return checking;
  };

  return {
    open: (files) => {
      const first = newManifest();
      if (first) adoptManifest(first.stamp, first.manifest, files);
    },
    checkWhenDue: () => {
      if (performance.now() - checkedAt >= checkIntervalMs) void check();
    },
    refresh: async () => {
      // A check under way may have begun before the manifest was replaced, so it is followed by another.
      await checking;
      await check();
    },
    needsPacking: () => needsPacking,
    close: () => {
      closed = true;
    },
  };
}

/**
 * Warns about a manifest that cannot be used when it is seen for the second time: for some moments, a packing by another
 * process may be ahead of the change log as this process sees it.
 */
function createUnusableReport(log: Log, folder: string): (stamp: string, why: string) => void {
  let last: { readonly stamp: string; readonly isWarned: boolean } | undefined;
  return (stamp, why) => {
    const isRepeated = last?.stamp === stamp;
    if (isRepeated && !last?.isWarned)
      log.warn({ folder }, `the index ${why}; it will be packed again, and answers come from the store`);
    last = { stamp, isWarned: isRepeated };
  };
}
