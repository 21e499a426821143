import { existsSync } from 'node:fs';
import { type ChangeLog, isOfLog, manifestStamp, readManifest } from './manifest.ts';
import { isLivePage, openParts } from './segment-files.ts';

/** What the index should have, according to the store. */
export interface ExpectedIndex extends ChangeLog {
  /** The searchable pages, each with its newest entry in the change log. */
  pages(): Iterable<readonly [id: string, seq: number]>;
}

export interface IndexCheck {
  readonly segments: number;
  /** One sentence for each problem. The next packing repairs all of them. */
  readonly findings: readonly string[];
}

/** Compares manifest, segments and store. A folder without an index has no findings: nothing is packed yet. */
export function verifyIndex(folder: string, expected: ExpectedIndex): IndexCheck {
  if (manifestStamp(folder) === undefined) {
    const isThere = existsSync(folder) && !existsSync(`${folder}/.`);
    return { segments: 0, findings: isThere ? [`${folder} is no folder`] : [] };
  }
  const manifest = readManifest(folder);
  if (!manifest) return { segments: 0, findings: ['the manifest is damaged'] };
  const segments = manifest.segments.length;
  if (!isOfLog(manifest, expected)) return { segments, findings: ['it is the index of another change log'] };
  const opened = openParts(folder, manifest);
  if (opened.kind === 'damaged') return { segments, findings: [`${opened.file}: ${opened.why}`] };
  const { parts } = opened;
  const findings: string[] = [];
  let packed = 0;
  for (const [id, seq] of expected.pages()) {
    const partCount = parts.filter((part) => isLivePage(part, id)).length;
    packed += partCount;
    // A page that changed after the packing may be there in its old version.
    if (seq <= manifest.seq && partCount !== 1) findings.push(`page ${id} is in ${partCount} segments`);
  }
  const living = parts.reduce((sum, { segment, deadCount }) => sum + segment.pageCount - deadCount, 0);
  // Pages that were removed after the packing are in the log.
  const removedLater = living - packed;
  if (expected.lastSeq() - manifest.seq < removedLater) {
    findings.push(`it has ${removedLater} pages that are not in the store`);
  }
  return { segments, findings };
}
