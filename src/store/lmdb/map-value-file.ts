import { accessSync, constants } from 'node:fs';
import { endianness } from 'node:os';
import { dirname } from 'node:path';
import * as lmdb from 'lmdb';
import { fileModeIn } from '../private-files.ts';
import { allocateLockFile } from './lock-file.ts';
import { valueKey } from './value-file.ts';

/** What of lmdb-js's native part is used; it is exported, and missing in the types. */
interface NativeLmdb {
  readonly Env: new () => NativeEnvironment;
  readonly Txn: new (environment: NativeEnvironment, flags: number) => { abort(): void };
  readonly Dbi: new (
    environment: NativeEnvironment,
    flags: number,
    name: null,
    keyType: number,
  ) => { readonly address: number };
  /** A view of the value whose key is in `keyBytes`, on LMDB's map. */
  getSharedByBinary?(database: number, keyLength: number): unknown;
}

interface NativeEnvironment {
  open(options: object, flags: number, jsFlags: number): void;
  close(): void;
}

/** Runs calls of LMDB: in a worker thread, so that it is not terminated meanwhile. */
export type LmdbGuard = <Result>(work: () => Result) => Result;

/** `MDB_RDONLY` and `MDB_NOSUBDIR` of lmdb.h. */
const readOnly = 0x2_0000;
const noSubfolder = 0x4000;
/** LMDB writes keys and answers to this memory. */
const keyMemoryBytes = 4096;
/** As many get their key memory from one array: beside a map, every new one costs the collection of garbage. */
const filesOfKeyMemory = 16;
/** Processes and threads that may open one file in the same moment: a slot is free again once the view is there. */
const maxOpeners = 32;
const mappingArchitectures: readonly string[] = ['x64', 'arm64', 'riscv64', 'loong64', 'ppc64'];

/** Closes the environment of a view that is garbage, with all arrays over it. Until then, it is held here. */
const environments = new FinalizationRegistry<Mapped>(({ environment, guard }) =>
  guard(() => environment.close()),
);

interface Mapped {
  readonly environment: NativeEnvironment;
  readonly keyBytes: Uint8Array;
  readonly guard: LmdbGuard;
}

/** Whether files can be mapped on this machine: it has 64-bit addresses and LMDB's byte order in the file. */
export function canMapValueFiles(): boolean {
  return endianness() === 'LE' && mappingArchitectures.includes(process.arch);
}

/**
 * The value of a value file, `byteLength` bytes that were not copied: a view on a memory map that all processes share. It
 * can be read for as long as the buffer or an array over it can be reached; then the file is unmapped. The view must not be
 * written to (SIGSEGV), and the file never be shortened (SIGBUS); it may be removed. The frame has to be checked before.
 * Throws if the file cannot be mapped, such as without permission to write, which LMDB's lock file needs.
 */
export function mapValueFile(
  path: string,
  byteLength: number,
  guard: LmdbGuard = (work) => work(),
): ArrayBufferLike {
  return guard(() => {
    const native = (lmdb as unknown as { nativeAddon: NativeLmdb }).nativeAddon;
    if (native?.getSharedByBinary === undefined) throw new Error('this version of lmdb has no shared views');
    // Without this, lmdb-js would never close the environment.
    accessSync(path, constants.R_OK | constants.W_OK);
    allocateLockFile(`${path}-lock`, maxOpeners);
    const keyBytes = nextKeyMemory();
    const environment = new native.Env();
    const permissionsMode = fileModeIn(dirname(path));
    const options = { path, keyBytes, maxDbs: 1, maxReaders: maxOpeners, mapSize: 0, permissionsMode };
    environment.open(options, readOnly | noSubfolder, 0);
    try {
      const view = viewOf(native, environment, keyBytes);
      if (!(view instanceof Uint8Array) || view.byteOffset !== 0 || view.buffer.byteLength !== byteLength)
        throw new Error('LMDB gave no view of the value');
      environments.register(view.buffer, { environment, keyBytes, guard });
      return view.buffer;
    } catch (error) {
      environment.close();
      throw error;
    }
  });
}

let keyMemory = new Uint8Array(0);

function nextKeyMemory(): Uint8Array {
  if (keyMemory.length === 0) keyMemory = new Uint8Array(filesOfKeyMemory * keyMemoryBytes);
  const next = keyMemory.subarray(0, keyMemoryBytes);
  keyMemory = keyMemory.subarray(keyMemoryBytes);
  return next;
}

/** The view stays valid after the transaction ends, because the file is never written again. */
function viewOf(native: NativeLmdb, environment: NativeEnvironment, keyBytes: Uint8Array): unknown {
  const transaction = new native.Txn(environment, readOnly);
  try {
    const { address } = new native.Dbi(environment, 0, null, 0);
    keyBytes.set(Buffer.from(valueKey, 'latin1'));
    return native.getSharedByBinary?.(address, valueKey.length);
  } finally {
    transaction.abort();
  }
}
