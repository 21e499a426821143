import type { Download } from '../../import/import.ts';

/** Whether a source is an address of the web, not a path. */
export function isWebUrl(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

/** The sources of an import with those of the web in temporary files. */
export interface Downloaded {
  readonly paths: readonly string[];
  readonly downloads: ReadonlyMap<string, Download>;
  /** Removes the temporary files. */
  remove(): Promise<void>;
}
