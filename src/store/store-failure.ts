import { statfsSync } from 'node:fs';
import { constants } from 'node:os';
import { ServiceError } from '../contract/errors.ts';
import { isAtFileSizeLimit } from './file-size-limit.ts';

const { errno } = constants;
/** LMDB's own codes, from lmdb.h. */
const mdbPanic = -30795;
const mdbReadersFull = -30790;

/**
 * LMDB calls a write of which only a part was taken an I/O error: with less free than this, the disk is full, and with
 * less to the limit of a file's size, that is reached.
 */
const fullBelowBytes = 1024 * 1024;

const noSpace: ReadonlySet<unknown> = new Set([
  errno.ENOSPC,
  errno.EDQUOT,
  errno.EFBIG,
  'ENOSPC',
  'EDQUOT',
  'EFBIG',
]);

/** The refusal where an error of LMDB or of Node says that the disk, a quota or a limit of the file's size has no room. */
function noSpaceFailure(error: unknown, folder: string): ServiceError | undefined {
  const code = codeOf(error);
  const isPart = code === errno.EIO || code === 'EIO';
  if ((isPart || code === errno.EFBIG || code === 'EFBIG') && isAtFileSizeLimit(folder, fullBelowBytes))
    return fileSizeLimitReached(folder);
  return noSpace.has(code) || (isPart && isFull(folder)) ? storageFull(folder) : undefined;
}

/** The refusal while the store's file may not grow: a small file in the same folder does not show that. */
export function fileSizeLimitFailure(folder: string): ServiceError | undefined {
  return isAtFileSizeLimit(folder, fullBelowBytes) ? fileSizeLimitReached(folder) : undefined;
}

function fileSizeLimitReached(folder: string): ServiceError {
  return new ServiceError(
    'storage_full',
    `no space left under the limit of a file's size: nothing more can be written to the data folder ${folder}. What is stored can be read; start Gleaner with a higher limit ("ulimit -f", LimitFSIZE= of systemd)`,
  );
}

const notWritable: ReadonlySet<unknown> = new Set([
  errno.EACCES,
  errno.EPERM,
  errno.EROFS,
  'EACCES',
  'EPERM',
  'EROFS',
]);

/** Without its lock file LMDB would let a writer overwrite what is being read. */
const mustBeWritable =
  'This user must be able to write to it, also to search: every process that reads is noted in store/lock.mdb. Change its owner or its mode, or work with a copy';

function storageFull(folder: string): ServiceError {
  return new ServiceError(
    'storage_full',
    `no space left on device: nothing more can be written to the data folder ${folder}. What is stored can be read; make room there, and writing goes on`,
  );
}

/** The refusal for what a failed commit threw. */
export function commitFailure(error: unknown, folder: string): ServiceError {
  const full = noSpaceFailure(error, folder);
  if (full) return full;
  const what = isPanic(error)
    ? `the data folder ${folder} had an error that only a restart of this process mends`
    : `cannot write to the data folder ${folder}: ${messageOf(error)}`;
  const failure = new ServiceError('unavailable', what);
  failure.cause = error;
  return failure;
}

export function isPanic(error: unknown): boolean {
  return codeOf(error) === mdbPanic;
}

/** The refusal for what opening a folder threw. */
export function openFailure(error: unknown, folder: string, maxReaders: number): ServiceError {
  if (error instanceof ServiceError) return error;
  const full = noSpaceFailure(error, folder);
  if (full) return full;
  if (codeOf(error) === mdbReadersFull || messageOf(error).includes('MDB_READERS_FULL')) {
    return new ServiceError(
      'unavailable',
      `too many processes have the data folder ${folder} open: at most ${maxReaders} may (126 where an older Gleaner opened it first). End some of them, or ask one running "gleaner serve" instead`,
      { retryAfterSeconds: 5 },
    );
  }
  const why = notWritable.has(codeOf(error)) ? `${messageOf(error)}. ${mustBeWritable}` : messageOf(error);
  return new ServiceError('unavailable', `cannot open the data folder ${folder}: ${why}`);
}

/** What made a commit fail, which lmdb-js keeps in a promise of its own; the error itself where it is none of these. */
export async function causeOf(error: unknown): Promise<unknown> {
  const { commitError } = error as { commitError?: Promise<unknown> };
  if (commitError === undefined) return error;
  return commitError.then(
    () => error,
    (cause: unknown) => cause,
  );
}

function isFull(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize < fullBelowBytes;
  } catch {
    return false;
  }
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | undefined)?.code;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
