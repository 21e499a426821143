import { type Readable, Writable } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { within } from '../async/within.ts';
import { readableErrors } from './readable-errors.ts';
import type { McpServerOptions } from './server.ts';

export interface StdioOptions extends McpServerOptions {
  /** Ends the service, for instance on SIGTERM. */
  readonly signal?: AbortSignal;
  /** How long calls under way may still take once stdin has ended. */
  readonly maxDrainMs?: number;
  /** How long they may still take once `signal` is aborted. */
  readonly graceMs?: number;
  /** The process that started this one, as it is now: it is another one once the first has died. */
  readonly parentPid?: () => number;
  readonly stdin?: Readable;
  readonly stdout?: Writable;
  readonly stderr?: Writable;
}

/**
 * As long as clients wait for an answer. It is more than what a call waits for: 25 s for a visit, less for a search.
 * Only the first opening of a large index may take longer.
 */
const defaultMaxDrainMs = 60_000;
/** Supervisors and clients that send SIGTERM send SIGKILL some seconds later. */
const defaultGraceMs = 1000;
const parentCheckMs = 250;

/**
 * Serves MCP over stdin and stdout and resolves when that is over. Once stdin has ended, as that of a pipe does, calls
 * under way get `maxDrainMs` to be answered; once `signal` is aborted, `graceMs`; once the client is gone (stdin or
 * stdout broke, or the parent process died), nothing. Then their signals are aborted: nothing that hangs can hold the
 * end up. Never rejects because of the client.
 */
export async function runStdio(options: StdioOptions): Promise<void> {
  const { stdin = process.stdin, stdout = process.stdout, stderr = process.stderr, log } = options;
  const { maxDrainMs = defaultMaxDrainMs, graceMs = defaultGraceMs } = options;
  const { parentPid = () => process.ppid } = options;
  const orphaned = watchParent(parentPid, parentCheckMs);
  const protocol = reserveStdout(stdout, stderr);
  // The SDK costs most of the start-up, and must not be able to print before stdout is reserved.
  const [{ createMcpServer }, { StdioServerTransport }] = await Promise.all([
    import('./server.ts'),
    import('@modelcontextprotocol/sdk/server/stdio.js'),
  ]);
  const server = createMcpServer(options);
  const transport = new StdioServerTransport(stdin, protocol);
  const pending = trackPending(transport);
  transport.onerror = (error) => {
    const answer = invalidLineError(error);
    if (answer !== undefined) protocol.write(`${JSON.stringify(answer)}\n`);
  };

  const ended = once((over) => {
    stdin.once('end', over);
    if (stdin.readableEnded) over();
  });
  const stopped = once((over) => {
    options.signal?.addEventListener('abort', over, { once: true });
    if (options.signal?.aborted) over();
  });
  const gone = once((over) => {
    server.onclose = over;
    stdin.once('error', over);
    // Closing without an end: somebody destroyed it.
    stdin.once('close', () => stdin.readableEnded || over());
    for (const event of ['error', 'close']) protocol.once(event, over);
    if (stdin.destroyed && !stdin.readableEnded) over();
  });
  // Opens the index while the client reads the list of tools; a failure is told to whoever calls a tool.
  server.oninitialized = () => void options.engine().catch(() => {});

  endLastLine(stdin);
  await server.connect(readableErrors(transport, log));
  await Promise.race([ended, stopped, gone]);
  const over = Promise.race([stopped, gone, orphaned.died()]);
  const settled = pending.settled();
  const isTimely = await within(
    maxDrainMs,
    Promise.race([settled, over]).then(() => true),
  );
  if (!isTimely)
    log.warn(
      { unanswered: pending.count(), maxDrainMs },
      'calls were not answered in time after stdin ended',
    );
  // Calls that outlived the end of stdin had their time already.
  if (options.signal?.aborted && !stdin.readableEnded) await within(graceMs, Promise.race([settled, gone]));
  await server.close();
  const written = flushed(protocol);
  await within(maxDrainMs, Promise.race([written, over]));
  await within(graceMs, written);
  orphaned.forget();
}

/** A message at the very end of stdin counts without its line break, too: `printf` writes none by itself. */
function endLastLine(stdin: Readable): void {
  let lastByte: number | undefined;
  stdin.on('data', (chunk: Buffer | string) => {
    lastByte = Buffer.from(chunk.slice(-1)).at(-1) ?? lastByte;
  });
  stdin.prependOnceListener('end', () => {
    if (lastByte !== undefined && lastByte !== lineFeed) stdin.emit('data', Buffer.of(lineFeed));
  });
}

const lineFeed = 0x0a;

/** Where the parent is killed, stdin ends just as that of a pipe does; only its death tells that nobody reads on. */
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
 * Takes `stdout` for the protocol: returns the one stream that still reaches it and sends every other write to
 * `stderr`, `console.log` included, since one stray line ends a session.
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
  // Each answer that waits for a slow reader listens for `drain`: as many as there are calls at once.
  protocol.setMaxListeners(0);
  return protocol;
}

/**
 * The answer to a line that is no message (JSON-RPC 2.0, section 5.1), which the SDK would pass over in silence, so
 * that whoever writes a client sees what is wrong. It has no id, since none could be read.
 */
function invalidLineError(error: Error): object | undefined {
  if (error instanceof SyntaxError) return errorWithoutId(-32700, 'Parse error: this line is not JSON.');
  // What zod throws, of whichever copy of it the SDK has.
  if ('issues' in error) return errorWithoutId(-32600, 'Invalid request: this line is no JSON-RPC message.');
  return undefined;
}

function errorWithoutId(code: number, message: string): object {
  return { jsonrpc: '2.0', id: null, error: { code, message } };
}

interface Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  send(message: JSONRPCMessage): Promise<void>;
}

interface Pending {
  /** Resolves when every request has its answer. */
  settled(): Promise<void>;
  count(): number;
}

/** Knows which requests of a transport are unanswered. To be called before the transport is connected. */
function trackPending(transport: Transport): Pending {
  const unanswered = new Set<unknown>();
  let onSettled = () => {};
  const settle = (id: unknown) => {
    unanswered.delete(id);
    if (unanswered.size === 0) onSettled();
  };

  transport.onmessage = (message) => {
    if (!('method' in message)) return;
    if ('id' in message) unanswered.add(message.id);
    else if (message.method === 'notifications/cancelled') settle(message.params?.requestId);
  };
  const send = transport.send.bind(transport);
  transport.send = async (message) => {
    await send(message);
    if ('id' in message && !('method' in message)) settle(message.id);
  };

  return {
    settled: () =>
      new Promise((resolve) => {
        onSettled = resolve;
        if (unanswered.size === 0) resolve();
      }),
    count: () => unanswered.size,
  };
}

function flushed(stream: Writable): Promise<void> {
  if (stream.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    stream.once('close', resolve);
    stream.end(() => resolve());
  });
}
