import cluster from 'node:cluster';
import { createServer } from 'node:net';
import type { Config } from '../../config/config.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { MetricsSnapshot } from '../../http/metrics/metrics.ts';
import { makeSessionSecret } from '../../http/security/sessions.ts';
import { maxStopMs } from '../http-service.ts';
import { createLog, logWarnings } from '../output/log.ts';
import { sayOnStderr } from '../output/say.ts';
import { sayAddress, sayReady, sayStopping, sayTooSlow } from '../output/service-lines.ts';
import { aborted, stopSignal } from '../stop-signal.ts';
import { type Child, startChild } from './children.ts';
import type { BackgroundOffer, Beginning, ProcessRole } from './protocol.ts';
import { createSupervisor, type Supervisor } from './supervisor.ts';

/** Calls wait this long for a background process that is being started, and then fail. */
const maxBackgroundWaitMs = 5_000;
/** For the metrics of one process; those of a process that is slower are left out. */
const metricsTimeoutMs = 1_000;

/**
 * `gleaner serve --workers N`: this process, the primary, accepts connections and passes them on, has the limits of clients, and
 * keeps the others alive. It opens no data folder, so that it answers at once. Another process writes, the rest answer.
 */
export async function serveWithWorkers(config: Config): Promise<void> {
  if (!cluster.isPrimary) {
    const { runChild } = await import('./run-child.ts');
    return runChild(config);
  }
  const log = createLog(config);
  logWarnings(config, log);
  const [{ createSharedLimits }, { createPrimaryMetrics }] = await Promise.all([
    import('../../limits/shared-limits.ts'),
    import('../../http/metrics/metrics.ts'),
  ]);
  const limits = createSharedLimits(config.limits);
  const metrics = createPrimaryMetrics();
  const stop = stopSignal();
  const port = config.port === 0 ? await freePort(config.host) : config.port;
  let url: string | undefined;
  let isPrepared = false;
  const sessionSecret = makeSessionSecret();

  const otherMetrics = async (asking: Child | undefined): Promise<MetricsSnapshot[]> => {
    const children = supervisor.children();
    metrics.setWorkers(children.filter((child) => child.role === 'worker' && child.isReady()).length);
    const others = children.filter((child) => child !== asking && child.isReady());
    const snapshots = await Promise.allSettled([
      metrics.snapshot(limits.bucketCounts()),
      ...others.map(({ peer }) => peer.call('metrics', null, { timeoutMs: metricsTimeoutMs })),
    ]);
    return snapshots.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  };

  const onListening = (address: string): void => {
    if (url !== undefined) return;
    url = address;
    sayAddress(url, config);
    for (const child of supervisor.children()) child.tell('addressKnown', address);
  };
  const onPrepared = (): void => {
    isPrepared = true;
    for (const child of supervisor.children()) child.tell('prepared', null);
  };

  const start = (role: ProcessRole): Child => {
    const child: Child = startChild({
      role,
      beginning: (): Beginning => ({ role, port, url, isPrepared, sessionSecret }),
      limits,
      log,
      offer: {
        ...throughBackground(() => supervisor),
        listening: onListening,
        prepared: onPrepared,
        metrics: () => otherMetrics(child),
      },
    });
    return child;
  };
  const supervisor: Supervisor = createSupervisor({
    start,
    workers: config.workers,
    log,
    onExit: metrics.onExit,
  });

  // Windows has no such signal to send: it closes the console by it.
  if (process.platform !== 'win32') process.on('SIGHUP', () => void restart(supervisor));
  try {
    await Promise.race([supervisor.failed, sayWhenReady(), aborted(stop)]);
    await Promise.race([supervisor.failed, aborted(stop)]);
    sayStopping();
  } finally {
    const late = setTimeout(() => {
      sayTooSlow();
      supervisor.kill();
      process.exit(1);
    }, maxStopMs);
    await supervisor.stop();
    clearTimeout(late);
  }

  async function sayWhenReady(): Promise<void> {
    const pages = await supervisor.allReady();
    if (url !== undefined && !stop.aborted) sayReady(url, pages, config);
  }
}

/** What workers ask of the background process, passed on to the one that is there. */
function throughBackground(supervisor: () => Supervisor): BackgroundOffer {
  const background = async (): Promise<Child> => {
    const { promise, cancel } = timeLimit(maxBackgroundWaitMs);
    return Promise.race([supervisor().background(), promise]).finally(cancel);
  };
  return {
    search: async (request, signal) => (await background()).peer.call('search', request, { signal }),
    read: async (request, signal) => (await background()).peer.call('read', request, { signal }),
    crawl: async (request, signal) => (await background()).peer.call('crawl', request, { signal }),
    shown: async (urls) => (await background()).peer.call('shown', urls),
  };
}

function timeLimit(ms: number): { promise: Promise<never>; cancel: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const promise = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const message = 'the process of this service that visits pages is being started: try again';
      reject(new ServiceError('unavailable', message, { retryAfterSeconds: 5 }));
    }, ms);
  });
  return { promise, cancel: () => clearTimeout(timer) };
}

async function restart(supervisor: Supervisor): Promise<void> {
  sayOnStderr('Restarting: one process after the other.');
  await supervisor.restart();
  sayOnStderr('Restarted.');
}

/** All workers listen on one port, which therefore has to be known before the first of them starts. */
function freePort(host: string): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    // A worker will say what is wrong with the address.
    server.once('error', () => resolve(0));
    server.listen({ host, port: 0 }, () => {
      const address = server.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
