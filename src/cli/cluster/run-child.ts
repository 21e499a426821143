import type { Config } from '../../config/config.ts';
import { ServiceError } from '../../contract/errors.ts';
import { createLog } from '../output/log.ts';
import { type Channel, type Offer, openPeer, type Peer } from './calls.ts';
import type { Beginning, ChildOffer, PrimaryOffer } from './protocol.ts';

/** What a process of the service has to know, whatever its role. */
export interface ChildParts {
  readonly config: Config;
  readonly log: ReturnType<typeof createLog>;
  readonly primary: Peer<PrimaryOffer>;
  readonly beginning: Beginning;
  /** Resolves with the address of the service. */
  readonly url: Promise<string>;
  /** Resolves once the background process has packed what was due. */
  readonly prepared: Promise<void>;
  /** Aborted when the service is about to stop. */
  readonly stopping: AbortSignal;
  /** Aborted when this process has to finish. */
  readonly stop: AbortSignal;
  /** Adds to what the primary may call. */
  offer(more: Partial<ChildOffer>): void;
}

/** Runs a process that the primary has started, until the primary says to stop or ends itself. */
export async function runChild(config: Config): Promise<void> {
  leaveSignalsToPrimary();
  const log = createLog(config);
  const stopping = new AbortController();
  const stop = new AbortController();
  const offers: Offer = {
    stopping: () => stopping.abort(),
    stop: () => {
      stopping.abort();
      stop.abort();
    },
  };
  const prepared = new Promise<void>((resolve) => {
    offers.prepared = () => resolve();
  });
  const url = new Promise<string>((resolve) => {
    offers.addressKnown = resolve;
  });
  const primary = openPeer<PrimaryOffer>(channelToPrimary(), offers, log);
  const beginning = await primary.call('begin', null);
  const parts: ChildParts = {
    config,
    log,
    primary,
    beginning,
    url: beginning.url === undefined ? url : Promise.resolve(beginning.url),
    prepared: beginning.isPrepared ? Promise.resolve() : prepared,
    stopping: stopping.signal,
    stop: stop.signal,
    offer: (more) => void Object.assign(offers, more),
  };
  try {
    await (beginning.role === 'worker' ? runWorker(parts) : runBackground(parts));
    process.exit(0);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { code, message } = error;
    await primary.call('failed', { code, message }).catch(() => {});
    process.exit(1);
  }
}

async function runWorker(parts: ChildParts): Promise<void> {
  const { serveAsWorker } = await import('./worker.ts');
  return serveAsWorker(parts);
}

async function runBackground(parts: ChildParts): Promise<void> {
  const { workInBackground } = await import('./background.ts');
  return workInBackground(parts);
}

/** A terminal and a supervisor signal every process of a service; the primary decides what it means. */
function leaveSignalsToPrimary(): void {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => {});
}

/** When the primary ends, the channel closes, and Node ends this process. */
function channelToPrimary(): Channel {
  return {
    send: (message) => {
      if (process.connected) process.send?.(message, undefined, {}, () => {});
    },
    onMessage: (listener) => void process.on('message', listener),
    onClose: (listener) => void process.once('disconnect', listener),
  };
}
