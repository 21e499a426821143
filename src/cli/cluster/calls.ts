import { type ErrorCode, type ParameterError, ServiceError } from '../../contract/errors.ts';
import type { Log } from '../../runtime.ts';

/** One end of the channel between two processes. */
export interface Channel {
  /** Does nothing when the channel is closed. */
  send(message: object): void;
  onMessage(listener: (message: unknown) => void): void;
  onClose(listener: () => void): void;
}

/** The functions that a process offers to another one; arguments and results are JSON. */
// biome-ignore lint/suspicious/noExplicitAny: the argument is as each function has it
export type Offer = Record<string, (argument: any, signal: AbortSignal) => unknown>;

interface CallOptions {
  /** Without a reply in this time, the call rejects as `unavailable`. */
  readonly timeoutMs?: number;
  /** Aborting it aborts the signal of the called function. */
  readonly signal?: AbortSignal | undefined;
}

/** The process at the other end. */
export interface Peer<Theirs extends Offer> {
  /**
   * Calls a function there and settles as it does. A `ServiceError` arrives as one; any other error is logged there, and is
   * `internal` here. Rejects as `unavailable` when the channel closes before.
   */
  call<Name extends keyof Theirs & string>(
    name: Name,
    argument: Parameters<Theirs[Name]>[0],
    options?: CallOptions,
  ): Promise<Awaited<ReturnType<Theirs[Name]>>>;
}

type Message =
  | { readonly kind: 'call'; readonly id: number; readonly name: string; readonly argument: unknown }
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly error: SentError };

interface SentError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly parameters: readonly ParameterError[];
  readonly retryAfterSeconds?: number | undefined;
}

interface Pending {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** Opens calls over a channel in both directions; `ours` is what the other process may call. */
export function openPeer<Theirs extends Offer>(channel: Channel, ours: Offer, log: Log): Peer<Theirs> {
  const pending = new Map<number, Pending>();
  const running = new Map<number, AbortController>();
  let lastId = 0;
  let isClosed = false;

  const send = (message: Message): void => channel.send(message);

  const answer = async ({ id, name, argument }: Message & { kind: 'call' }): Promise<void> => {
    const cancelling = new AbortController();
    running.set(id, cancelling);
    try {
      const called = ours[name];
      if (!called) throw new ServiceError('unavailable', `this process does not answer "${name}"`);
      send({ kind: 'result', id, value: (await called(argument, cancelling.signal)) ?? null });
    } catch (error) {
      if (!(error instanceof ServiceError) && !cancelling.signal.aborted)
        log.error({ err: error, name }, 'a call from another process of this service failed');
      send({ kind: 'error', id, error: sentError(error) });
    } finally {
      running.delete(id);
    }
  };

  channel.onMessage((received) => {
    const message = received as Message;
    switch (message.kind) {
      case 'call':
        return void answer(message);
      case 'cancel':
        return running.get(message.id)?.abort(new Error('the caller has cancelled'));
      case 'result':
        return pending.get(message.id)?.resolve(message.value);
      case 'error':
        return pending.get(message.id)?.reject(receivedError(message.error));
    }
  });
  channel.onClose(() => {
    isClosed = true;
    for (const { reject } of pending.values()) reject(gone());
    for (const cancelling of running.values()) cancelling.abort(gone());
  });

  const call = (name: string, argument: unknown, { timeoutMs, signal }: CallOptions = {}) =>
    new Promise<unknown>((resolve, reject) => {
      if (isClosed) return reject(gone());
      signal?.throwIfAborted();
      const id = ++lastId;
      const settle = (): void => {
        pending.delete(id);
        clearTimeout(timer);
        signal?.removeEventListener('abort', cancel);
      };
      const give = (error: unknown): void => {
        settle();
        reject(error);
      };
      const cancel = (): void => {
        send({ kind: 'cancel', id });
        give(signal?.reason);
      };
      const timer =
        timeoutMs === undefined ? undefined : setTimeout(() => give(late(name, timeoutMs)), timeoutMs);
      signal?.addEventListener('abort', cancel, { once: true });
      pending.set(id, {
        resolve: (value) => {
          settle();
          resolve(value);
        },
        reject: give,
      });
      send({ kind: 'call', id, name, argument });
    });

  return { call: call as Peer<Theirs>['call'] };
}

function sentError(error: unknown): SentError {
  if (!(error instanceof ServiceError))
    return { code: 'internal', message: 'Internal error.', parameters: [] };
  const { code, message, parameters, retryAfterSeconds } = error;
  return { code, message, parameters, retryAfterSeconds };
}

function receivedError({ code, message, parameters, retryAfterSeconds }: SentError): ServiceError {
  const retry = retryAfterSeconds !== undefined && { retryAfterSeconds };
  return new ServiceError(code, message, { parameters, ...retry });
}

const retrySeconds = 2;

function gone(): ServiceError {
  const message = `another process of this service has ended: try again in ${retrySeconds} seconds`;
  return new ServiceError('unavailable', message, { retryAfterSeconds: retrySeconds });
}

function late(name: string, timeoutMs: number): ServiceError {
  const message = `another process of this service did not answer "${name}" within ${timeoutMs} ms`;
  return new ServiceError('unavailable', message, { retryAfterSeconds: retrySeconds });
}
