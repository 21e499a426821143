import { accessSync, constants } from 'node:fs';

/**
 * Makes the end of the process possible while one of its threads may wait for LMDB's lock: Node joins its threads when it
 * exits, and would wait as long as the lock is held. Nothing is lost by the hard end, for what was acknowledged is on
 * disk. The exit status stays that of the process where Node has `process.execve` (22.15 and later, not on Windows);
 * elsewhere it is that of SIGKILL, 137. Returns how to take it back once the thread has come back.
 */
export function endWithStuckThread(): () => void {
  // Before lmdb's own handler, which waits for the thread.
  process.prependListener('exit', endHard);
  return () => void process.off('exit', endHard);
}

/** Missing in the types of Node 20. */
interface Executes {
  execve?(file: string, args: readonly string[], env: Readonly<Record<string, string>>): void;
}

function endHard(status: number): void {
  // Another program in place of this one takes no thread along.
  if (isExecutable(process.execPath))
    (process as Executes).execve?.(process.execPath, ['node', '-e', `process.exit(${status})`], {});
  process.kill(process.pid, 'SIGKILL');
}

/** `execve` ends the process with SIGABRT where the file is not there, as after an upgrade of Node. */
function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
