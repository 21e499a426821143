import { type Readable, Writable } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { McpServerOptions } from './server.ts';

export interface StdioOptions extends McpServerOptions {
  /** Ends the service like the end of stdin, for instance on SIGTERM. */
  readonly signal?: AbortSignal;
  /** How long answers that are under way when stdin ends may still take. */
  readonly graceMs?: number;
  readonly stdin?: Readable;
  readonly stdout?: Writable;
  readonly stderr?: Writable;
}

/**
 * Serves MCP over stdin and stdout and resolves when the client is gone: stdin ended or closed, stdout broke, or
 * `signal` was aborted. Calls under way get `graceMs` to be answered, then their signals are aborted; nothing that
 * hangs can hold the end up. Never rejects because of the client.
 */
export async function runStdio(options: StdioOptions): Promise<void> {
  const { stdin = process.stdin, stdout = process.stdout, stderr = process.stderr, graceMs = 1000 } = options;
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
    const answer = complaint(error);
    if (answer !== undefined) protocol.write(`${JSON.stringify(answer)}\n`);
  };

  const gone = new Promise<void>((resolve) => {
    server.onclose = resolve;
    for (const event of ['end', 'close', 'error']) stdin.once(event, resolve);
    protocol.once('error', () => resolve());
    options.signal?.addEventListener('abort', () => resolve(), { once: true });
    if (options.signal?.aborted || stdin.destroyed || stdin.readableEnded) resolve();
  });
  // Opens the index while the client reads the list of tools; a failure is told to whoever calls a tool.
  server.oninitialized = () => void options.engine().catch(() => {});

  await server.connect(transport);
  await gone;
  await within(graceMs, pending.settled());
  await server.close();
  await within(graceMs, flushed(protocol));
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
  return protocol;
}

/**
 * The answer to a line that is no message (JSON-RPC 2.0, section 5.1), which the SDK would pass over in silence, so
 * that whoever writes a client sees what is wrong. It has no id, since none could be read.
 */
function complaint(error: Error): object | undefined {
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
  };
}

function flushed(stream: Writable): Promise<void> {
  if (stream.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    stream.once('close', resolve);
    stream.end(() => resolve());
  });
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
