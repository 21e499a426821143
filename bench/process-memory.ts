import { existsSync, readFileSync } from 'node:fs';

/** The memory of a process in bytes; NaN where there is no /proc (proc(5)). */
export interface ProcessMemory {
  /** All that is in memory, with files that other processes have mapped, too. */
  readonly resident: number;
  /** What would be free without the process, with pages of mapped files that no other process has looked at. */
  readonly private: number;
  /** Of that, what belongs to no file: the system cannot take it back. */
  readonly anonymous: number;
  /** The resident memory, with each page divided among the processes that have it. */
  readonly proportional: number;
}

export function processMemory(pid: number | undefined): ProcessMemory {
  const file = `/proc/${pid}/smaps_rollup`;
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const bytesOf = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? Number.NaN) * 1024;
  return {
    resident: bytesOf('Rss'),
    private: bytesOf('Private_Clean') + bytesOf('Private_Dirty'),
    anonymous: bytesOf('Anonymous'),
    proportional: bytesOf('Pss'),
  };
}
