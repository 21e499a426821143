import type { Config } from '../../config/config.ts';
import { ServiceError } from '../../contract/errors.ts';
import { createLog } from '../output/log.ts';
import { type Channel, type Offer, openPeer } from './calls.ts';
import type { ChildContext, PrimaryOffer } from './protocol.ts';

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
  const parts: ChildContext = {
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

async function runWorker(parts: ChildContext): Promise<void> {
  const { serveAsWorker } = await import('./worker.ts');
  return serveAsWorker(parts);
}

async function runBackground(parts: ChildContext): Promise<void> {
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
