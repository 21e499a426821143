import { EventEmitter } from 'node:events';
import { type Readable, Writable } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { within } from '../async/within.ts';
import { readableErrors } from './readable-errors.ts';
import type { McpServerOptions } from './server.ts';

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
  // The SDK takes most of the start-up time, and must not print before stdout is reserved.
  const [{ createMcpServer }, { StdioServerTransport }] = await Promise.all([
    import('./server.ts'),
    import('@modelcontextprotocol/sdk/server/stdio.js'),
  ]);
  const server = createMcpServer(options);
  const transport = new StdioServerTransport(messageLines(stdin), protocol);
  const pending = trackPending(transport);
  transport.onerror = (error) => {
    const answer = invalidLineError(error);
    if (answer !== undefined) protocol.write(`${JSON.stringify(answer)}\n`);
  };

  const ended = once((resolve) => {
    stdin.once('end', resolve);
    if (stdin.readableEnded) resolve();
  });
  const stopped = once((resolve) => {
    options.signal?.addEventListener('abort', resolve, { once: true });
    if (options.signal?.aborted) resolve();
  });
  const gone = once((resolve) => {
    server.onclose = resolve;
    stdin.once('error', resolve);
    // Closed without an end: the stream was destroyed.
    stdin.once('close', () => stdin.readableEnded || resolve());
    for (const event of ['error', 'close']) protocol.once(event, resolve);
    if (stdin.destroyed && !stdin.readableEnded) resolve();
  });
  // Opens the index while the client reads the list of tools. A failure is reported by the first tool call.
  server.oninitialized = () => void options.engine().catch(() => {});

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
  // Calls that were open after the end of stdin have used their time already.
  if (options.signal?.aborted && !stdin.readableEnded) await within(graceMs, Promise.race([settled, gone]));
  await server.close();
  const written = flushed(protocol);
  await within(maxDrainMs, Promise.race([written, over]));
  await within(graceMs, written);
  orphaned.forget();
}

/**
 * Stdin as the transport reads it: without blank lines, which are no messages, and with a line break after the last
 * message, which `printf` does not write by itself. Passes on at once what it reads, so that nothing is left at the end.
 */
function messageLines(stdin: Readable): Readable {
  const lines = Object.assign(new EventEmitter(), { pause: () => {} });
  let isInLine = false;
  stdin.on('data', (chunk: Buffer | string) => {
    const bytes = Buffer.from(chunk as Buffer);
    const parts: Buffer[] = [];
    for (let offset = 0; offset < bytes.length; ) {
      if (!isInLine && isBlank(bytes[offset])) {
        offset += 1;
        continue;
      }
      const end = bytes.indexOf(lineFeed, offset) + 1 || bytes.length;
      parts.push(bytes.subarray(offset, end));
      isInLine = bytes[end - 1] !== lineFeed;
      offset = end;
    }
    if (parts.length > 0) lines.emit('data', Buffer.concat(parts));
  });
  stdin.on('error', (error) => lines.listenerCount('error') > 0 && lines.emit('error', error));
  stdin.prependOnceListener('end', () => {
    if (isInLine) lines.emit('data', Buffer.of(lineFeed));
  });
  // Of a stream the transport uses no more than its events.
  return lines as unknown as Readable;
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === lineFeed;
}

const lineFeed = 0x0a;

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
  // Each answer that waits for a slow reader adds a `drain` listener: as many as there are concurrent calls.
  protocol.setMaxListeners(0);
  return protocol;
}

/**
 * The answer to an invalid line (JSON-RPC 2.0, section 5.1), which the SDK would ignore in silence. It helps developers
 * of clients. It has no id, because none could be parsed.
 */
function invalidLineError(error: Error): object | undefined {
  if (error instanceof SyntaxError) return errorWithoutId(-32700, 'Parse error: this line is not JSON.');
  // A zod error, from any copy of zod that the SDK uses.
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

/** Tracks the unanswered requests of a transport. Call it before the transport is connected. */
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
