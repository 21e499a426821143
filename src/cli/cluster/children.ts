import type { SendHandle, Serializable } from 'node:child_process';
import cluster, { type Worker } from 'node:cluster';
import { ServiceError } from '../../contract/errors.ts';
import type { LimitsSession, SharedLimits } from '../../limits/shared-limits.ts';
import type { Log } from '../../runtime.ts';
import { type Channel, openPeer, type Peer } from './calls.ts';
import type { BackgroundOffer, Beginning, ChildOffer, PrimaryOffer, ProcessRole } from './protocol.ts';

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
  /** Why it could not start, if it said so. */
  readonly failure: ServiceError | undefined;
}

/** A process of the service, as its primary sees it. */
export interface Child {
  readonly role: ProcessRole;
  readonly pid: number;
  readonly peer: Peer<ChildOffer>;
  /** Resolves with the searchable pages once it can do its work; never if it ends before. */
  readonly ready: Promise<number>;
  readonly exited: Promise<Exit>;
  isReady(): boolean;
  /** Calls without waiting for an answer. A process that has just ended needs none. */
  tell<Name extends 'addressKnown' | 'prepared' | 'stopping'>(
    name: Name,
    argument: Parameters<ChildOffer[Name]>[0],
  ): void;
  /** Asks it to finish what is under way and end. */
  end(): void;
  kill(): void;
}

interface ChildParts {
  readonly role: ProcessRole;
  /** What the process is told when it asks. */
  readonly beginning: () => Beginning;
  readonly limits: SharedLimits;
  readonly log: Log;
  /** What the background process and all other processes do for this one. */
  readonly offer: BackgroundOffer & Pick<PrimaryOffer, 'metrics' | 'listening' | 'prepared'>;
}

/** Starts a process of this service: the same program with the same arguments. */
export function startChild({ role, beginning, limits, log, offer }: ChildParts): Child {
  const worker = cluster.fork();
  closeUntakenConnection(worker);
  const session: LimitsSession = limits.openSession();
  let failure: ServiceError | undefined;
  let hasBegun = false;
  let isReady = false;
  let becomeReady: (pages: number) => void = () => {};
  const ready = new Promise<number>((resolve) => {
    becomeReady = resolve;
  });
  const ours: PrimaryOffer = {
    ...offer,
    begin: () => {
      hasBegun = true;
      return beginning();
    },
    limits: session.answer,
    ready: (pages) => {
      isReady = true;
      becomeReady(pages);
    },
    failed: ({ code, message }) => {
      failure = new ServiceError(code, message);
    },
  };
  const peer = openPeer<ChildOffer>(channelTo(worker), ours, log);
  const exited = new Promise<Exit>((resolve) => {
    worker.once('exit', (code: number | null, signal: string | null) => {
      session.close();
      resolve({ code, signal, failure });
    });
  });
  // A process that cannot be started has an exit as well.
  worker.on('error', (error) => log.error({ err: error }, 'a process of the service could not be reached'));
  const kill = (): void => void worker.process.kill('SIGKILL');
  return {
    role,
    pid: worker.process.pid ?? 0,
    peer,
    ready,
    exited,
    isReady: () => isReady,
    tell: (name, argument) => void peer.call(name, argument).catch(() => {}),
    end: () => {
      // Before that it hears nothing, and has opened nothing.
      if (hasBegun) peer.call('stop', null).catch(() => {});
      else kill();
    },
    kill,
  };
}

/**
 * Closes the connection that was being passed to a process when it ended. Node passes one at a time to each process, and
 * forgets it then, so that its client would wait without end.
 */
function closeUntakenConnection(worker: Worker): void {
  const { process } = worker;
  const send = process.send.bind(process);
  let connection: { close?(): void } | undefined;
  process.send = ((message: Serializable, handle?: SendHandle, ...more: []) => {
    if (handle) connection = handle as { close?(): void };
    return send(message, handle, ...more);
  }) as typeof process.send;
  // It is closed already where the process had taken it; to close it again does nothing.
  worker.once('exit', () => connection?.close?.());
}

function channelTo(worker: Worker): Channel {
  return {
    send: (message) => {
      if (worker.isConnected()) worker.send(message, () => {});
    },
    onMessage: (listener) => worker.on('message', listener),
    onClose: (listener) => worker.once('disconnect', listener),
  };
}
