import { getSystemErrorMap } from 'node:util';
import { closedPipeStatus, ioFailureStatus } from '../exit-status.ts';

/**
 * Ends a command whose output cannot be written: quietly where the reader has gone (`| head`), with a line on stderr
 * where a disk is full. What is stored by then stays stored. Not for services.
 */
export function endOnBrokenOutput(): void {
  for (const [stream, onError] of [
    [process.stdout, onStdoutError],
    [process.stderr, onStderrError],
  ] as const)
    if (!stream.listeners('error').includes(onError)) stream.on('error', onError);
}

function onStdoutError({ code, errno }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE') process.exit(closedPipeStatus);
  const [, why = code] = getSystemErrorMap().get(errno ?? 0) ?? [];
  process.stderr.write(`gleaner: cannot write to stdout: ${why}\n`);
  process.exit(ioFailureStatus);
}

/** Notes that cannot be written are no reason to end. */
function onStderrError({ code }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE') process.exit(closedPipeStatus);
}
