/**
 * Makes the end of the process possible while one of its threads waits for LMDB's lock: Node joins its threads when it
 * exits, and would wait as long as the lock is held. Nothing is lost by the hard end, for what was acknowledged is on
 * disk. The exit status is then that of SIGKILL, 137. Returns how to take it back once the thread has come back.
 */
export function endWithStuckThread(): () => void {
  const end = (): void => void process.kill(process.pid, 'SIGKILL');
  // Before lmdb's own handler, which waits for the thread.
  process.prependListener('exit', end);
  return () => void process.off('exit', end);
}
