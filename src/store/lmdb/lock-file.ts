import {
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileModeIn } from '../private-files.ts';

/** Reader slots in `lock.mdb` of 64-bit Linux (`MDB_txninfo`): offset of the first, length of one, offset of its pid. */
const readerSlots = { start: 208, bytes: 64, pid: 8 } as const;

/** The size of a lock file for this many readers, as LMDB itself computes it on 64-bit Linux. */
function lockFileBytes(readers: number): number {
  return readerSlots.start + readers * readerSlots.bytes;
}

/**
 * Creates a lock file for this many readers, with all of its bytes on disk. LMDB's own lock file has holes, and writing to
 * a hole of a mapped file ends the process with SIGBUS if the disk is full. The complete file is linked into place, so
 * that no process ever opens a part of it.
 */
export function allocateLockFile(file: string, readers: number): void {
  if (existsSync(file)) return;
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, Buffer.alloc(lockFileBytes(readers)), {
      mode: fileModeIn(dirname(file)),
    });
    linkSync(draft, file);
  } catch (error) {
    // Another process was first, or the file system has no links: LMDB creates the file then.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST' && code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * The processes that have read the store and have not closed it, the dead included; none where the layout is another.
 * A process that has the store open must never read its lock file: closing any descriptor of a file ends all locks that
 * the process holds on it (fcntl(2)), and the next process to close the store would take LMDB's mutexes away with it.
 */
function readerPids(storeFolder: string): number[] {
  if (process.platform !== 'linux' || maps(process.pid, storeFolder) !== false) return [];
  try {
    const bytes = readFileSync(join(storeFolder, 'lock.mdb'));
    const { start, bytes: slotBytes, pid } = readerSlots;
    if ((bytes.length - start) % slotBytes !== 0) return [];
    const count = (bytes.length - start) / slotBytes;
    const pids = Array.from({ length: count }, (_, slot) =>
      bytes.readInt32LE(start + slot * slotBytes + pid),
    );
    return [...new Set(pids.filter((reader) => reader > 0))];
  } catch {
    return [];
  }
}

/**
 * Whether a process that read the store has died without closing it, perhaps of its file. LMDB frees the slots of the
 * dead when a store is opened, so the first process after a death learns of it.
 */
export function hasDeadReader(storeFolder: string): boolean {
  return readerPids(storeFolder).some((pid) => !lives(pid));
}

/**
 * The other processes that have the store open: those that have its file in memory, as far as this user may see them, and
 * those that read it. A process that only writes is no reader.
 */
export function processesOver(storeFolder: string): number[] {
  const readers = new Set(readerPids(storeFolder));
  return [...new Set([...readers, ...visiblePids()])].filter(
    (pid) => pid !== process.pid && lives(pid) && (maps(pid, storeFolder) ?? readers.has(pid)),
  );
}

/** The processes of this machine, in the order of their numbers; none where the system does not list them so. */
function visiblePids(): number[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return [];
  }
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether a process has the file in memory; a pid may belong to another program by now. Undefined where that is hidden. */
function maps(pid: number, storeFolder: string): boolean | undefined {
  try {
    return readFileSync(`/proc/${pid}/maps`, 'utf8').includes(join(realpathSync(storeFolder), 'data.mdb'));
  } catch {
    return undefined;
  }
}
