import { type Readable, Writable } from 'node:stream';
import { within } from '../async/within.ts';
import { isModern } from './era.ts';
import { createMcpOffer, type McpServerOptions } from './mcp-offer.ts';
import { createMessageLines, type MessageLines } from './message-lines.ts';
import type { StdioSession } from './stdio-session.ts';

export interface StdioOptions extends McpServerOptions {
  /** Ends the service, for instance on SIGTERM. */
  readonly signal?: AbortSignal;
  /** How long open calls may still take once stdin has ended. */
  readonly maxDrainMs?: number;
  /** How long they may still take once `signal` is aborted. */
  readonly graceMs?: number;
  /** The current parent process id; it changes when the parent dies. */
  readonly parentPid?: () => number;
  readonly stdin?: Readable;
  readonly stdout?: Writable;
  readonly stderr?: Writable;
}

/**
 * As long as clients wait for an answer, and longer than any call waits: 25 s for a visit, less for a search. Only the
 * first opening of a large index may take longer.
 */
const defaultMaxDrainMs = 60_000;
/** Supervisors and clients that send SIGTERM send SIGKILL some seconds later. */
const defaultGraceMs = 1000;
const parentCheckMs = 250;

/**
 * Serves MCP over stdin and stdout, and resolves at the end of the session. After the end of stdin, open calls get
 * `maxDrainMs` to finish; after an abort of `signal`, `graceMs`; when the client is gone (stdin or stdout broke, or the
 * parent process died), no time. Then their signals are aborted, so that a hanging call cannot delay the end. Never
 * rejects because of the client.
 */
export async function runStdio(options: StdioOptions): Promise<void> {
  const { stdin = process.stdin, stdout = process.stdout, stderr = process.stderr, log } = options;
  const { maxDrainMs = defaultMaxDrainMs, graceMs = defaultGraceMs } = options;
  const { parentPid = () => process.ppid } = options;
  const orphaned = watchParent(parentPid, parentCheckMs);
  const protocol = reserveStdout(stdout, stderr);
  const lines = createMessageLines({ stdin, stdout: protocol, log });

  const ended = once((resolve) => {
    stdin.once('end', resolve);
    if (stdin.readableEnded) resolve();
  });
  const stopped = once((resolve) => {
    options.signal?.addEventListener('abort', resolve, { once: true });
    if (options.signal?.aborted) resolve();
  });
  const gone = once((resolve) => {
    stdin.once('error', resolve);
    // Closed without an end: the stream was destroyed.
    stdin.once('close', () => stdin.readableEnded || resolve());
    for (const event of ['error', 'close']) protocol.once(event, resolve);
    if (stdin.destroyed && !stdin.readableEnded) resolve();
  });
  const opening = await Promise.race([lines.first, ended, stopped, gone]);
  const session = opening && (await openSession(opening.json, lines, options));
  await Promise.race([ended, stopped, gone]);
  const over = Promise.race([stopped, gone, orphaned.died()]);
  const settled = lines.settled();
  const isTimely = await within(
    maxDrainMs,
    Promise.race([settled, over]).then(() => true),
  );
  if (!isTimely)
    log.warn(
      { unanswered: lines.unanswered(), maxDrainMs },
      'calls were not answered in time after stdin ended',
    );
  // Calls that were open after the end of stdin have used their time already.
  if (options.signal?.aborted && !stdin.readableEnded) await within(graceMs, Promise.race([settled, gone]));
  await session?.close();
  const written = flushed(protocol);
  await within(maxDrainMs, Promise.race([written, over]));
  await within(graceMs, written);
  orphaned.forget();
}

/** Loads the code of the revision that the first message is of, which takes most of the start-up time. */
async function openSession(
  first: unknown,
  lines: MessageLines,
  options: McpServerOptions,
): Promise<StdioSession> {
  const serve = isModern(first)
    ? (await import('./modern/stdio.ts')).serveModern
    : (await import('./legacy/stdio.ts')).serveLegacy;
  return serve(lines, {
    offer: createMcpOffer(options),
    log: options.log,
    // Opens the index while the client reads the list of tools. A failure is reported by the first tool call.
    onReady: () => void options.engine().catch(() => {}),
  });
}

/** When the parent is killed, stdin ends just like a pipe. Only its death shows that the answers have no reader. */
function watchParent(parentPid: () => number, everyMs: number): { died(): Promise<void>; forget(): void } {
  const parent = parentPid();
  let timer: NodeJS.Timeout | undefined;
  return {
    died: () =>
      once((over) => {
        const look = () => parentPid() === parent || over();
        timer = setInterval(look, everyMs);
        look();
      }),
    forget: () => clearInterval(timer),
  };
}

function once(listen: (over: () => void) => void): Promise<void> {
  return new Promise((resolve) => listen(() => resolve()));
}

/**
 * Reserves `stdout` for the protocol: returns the only stream that still writes to it, and redirects all other writes,
 * with those of `console.log`, to `stderr`. One stray line would break the session.
 */
export function reserveStdout(stdout: Writable, stderr: Writable): Writable {
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  const protocol = new Writable({
    decodeStrings: false,
    write: (chunk, encoding, callback) => void write(chunk, encoding, callback),
  });
  stdout.on('error', (error) => protocol.destroy(error));
  protocol.on('error', () => {});
  return protocol;
}

function flushed(stream: Writable): Promise<void> {
  if (stream.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    stream.once('close', resolve);
    stream.end(() => resolve());
  });
}
