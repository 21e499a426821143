import type { Readable, Writable } from 'node:stream';
import type { Log } from '../runtime.ts';
import { readLines } from './read-lines.ts';
import { rpcCodes } from './rpc-error.ts';

/** As much as the SDKs take. */
const maxLineBytes = 10 * 1024 * 1024;

/** Of a message, what is needed to tell which requests have no answer yet. */
interface AnyMessage {
  readonly id?: string | number | undefined;
  readonly method?: string;
  readonly params?: { readonly requestId?: unknown } | undefined;
}

/** The transport that both SDKs connect a server to. */
export interface LineTransport<Message> {
  start(): Promise<void>;
  send(message: Message): Promise<void>;
  close(): Promise<void>;
  onmessage?: (message: Message) => void;
  onerror?: (error: Error) => void;
  onclose?: () => void;
}

/** MCP messages over stdin and stdout, one a line (specification, basic/transports). */
export interface MessageLines {
  /** The first line that is JSON: it tells which revision of the protocol the client speaks. */
  readonly first: Promise<{ readonly json: unknown }>;
  /** The transport for all messages from the first one on. `parse` throws for JSON that is no message. */
  open<Message extends object>(parse: (json: unknown) => Message): LineTransport<Message>;
  /** Resolves when every request has its answer. */
  settled(): Promise<void>;
  unanswered(): number;
}

interface MessageLinesOptions {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly log: Log;
}

/**
 * Reads messages from the start, before it is known who answers them. An invalid line gets an answer (JSON-RPC 2.0, section
 * 5.1), which helps developers of clients; it has no id, because none could be parsed.
 */
export function createMessageLines({ stdin, stdout, log }: MessageLinesOptions): MessageLines {
  const pending = createPending();
  const waiting: unknown[] = [];
  let deliver = (json: unknown): void => void waiting.push(json);
  let onFirst = (_: { readonly json: unknown }): void => {};
  const first = new Promise<{ readonly json: unknown }>((resolve) => {
    onFirst = resolve;
  });

  const write = (message: object): Promise<void> =>
    new Promise((resolve, reject) => {
      stdout.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  const refuse = (code: number, message: string, err?: unknown): void => {
    log.warn({}, 'a line of the MCP client is no JSON-RPC message');
    if (err !== undefined) log.debug({ err }, 'what is wrong with the line');
    write({ jsonrpc: '2.0', id: null, error: { code, message } }).catch(() => {});
  };
  readLines(stdin, {
    maxBytes: maxLineBytes,
    onTooLong: () => refuse(rpcCodes.invalidRequest, `A message may have at most ${maxLineBytes} bytes.`),
    onLine: (line) => {
      let json: unknown;
      try {
        json = JSON.parse(line);
      } catch (error) {
        return refuse(rpcCodes.parse, 'Parse error: this line is not JSON.', error);
      }
      onFirst({ json });
      deliver(json);
    },
  });

  return {
    first,
    ...pending,
    open: <Message extends object>(parse: (json: unknown) => Message) => {
      const onJson = (json: unknown): void => {
        let message: Message;
        try {
          message = parse(json);
        } catch (error) {
          refuse(rpcCodes.invalidRequest, 'Invalid request: this line is no JSON-RPC message.', error);
          return;
        }
        pending.onReceived(message);
        transport.onmessage?.(message);
      };
      let isClosed = false;
      const transport: LineTransport<Message> = {
        start: async () => {
          deliver = onJson;
          for (const json of waiting.splice(0)) onJson(json);
        },
        send: async (message) => {
          await write(message);
          pending.onSent(message);
        },
        close: async () => {
          deliver = () => {};
          if (!isClosed) transport.onclose?.();
          isClosed = true;
        },
      };
      return transport;
    },
  };
}

/** Tracks the requests without an answer. */
function createPending() {
  const unanswered = new Set<unknown>();
  let onSettled = () => {};
  const settle = (id: unknown) => {
    unanswered.delete(id);
    if (unanswered.size === 0) onSettled();
  };
  return {
    onReceived: ({ id, method, params }: AnyMessage): void => {
      if (method === undefined || method === endless) return;
      if (id !== undefined) unanswered.add(id);
      else if (method === 'notifications/cancelled') settle(params?.requestId);
    },
    onSent: ({ id, method }: AnyMessage): void => {
      if (id !== undefined && method === undefined) settle(id);
    },
    settled: (): Promise<void> =>
      new Promise((resolve) => {
        onSettled = resolve;
        if (unanswered.size === 0) resolve();
      }),
    unanswered: (): number => unanswered.size,
  };
}

/** A request of MCP 2026-07-28 that is answered when the session ends. */
const endless = 'subscriptions/listen';
