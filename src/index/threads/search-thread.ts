import type { Log } from '../../runtime.ts';
import { type GuardedWorker, startGuardedWorker } from '../packed/guarded-worker.ts';
import type { SegmentIdentity } from '../packed/manifest.ts';
import type { PageSet } from '../segment/page-set.ts';
import type { SegmentSearch } from '../segment/search.ts';

/** A segment that a thread searches. */
export interface ThreadPart {
  readonly file: string;
  readonly identity: SegmentIdentity;
  readonly dead: PageSet | undefined;
}

/** A search of some segments. */
export interface ThreadRequest {
  readonly search: Omit<SegmentSearch, 'dead' | 'top' | 'within'>;
  /** Maximum number of hits. */
  readonly limit: number;
  /** The thread closes segments of the search before that are not among them. */
  readonly parts: readonly ThreadPart[];
}

/** What a thread found. The columns have the hits in one order. */
export interface ThreadAnswer {
  readonly total: number;
  /** The segment of each hit, by its index in the request. */
  readonly parts: Uint16Array;
  readonly pages: Uint16Array;
  readonly scores: Float64Array;
  readonly crawlTimes: Float64Array;
}

/** Why the thread cannot search the segments, such as because they were replaced meanwhile. */
export interface ThreadRefusal {
  readonly why: string;
}

/** What the thread sends. */
export type ThreadMessage = 'ready' | ThreadAnswer | ThreadRefusal;

/** What the thread is told when it starts. */
export interface ThreadData {
  readonly folder: string;
}

export interface SearchThread {
  /**
   * Resolves with the answer, or with undefined if the thread refused or failed. Undefined at once if it is busy, starting,
   * or resting after a failure. The first call starts it.
   */
  ask(request: ThreadRequest): Promise<ThreadAnswer | undefined> | undefined;
  close(): Promise<void>;
}

export interface SearchThreadOptions {
  /** The folder of the packed index. */
  readonly folder: string;
  readonly log: Pick<Log, 'warn' | 'info'>;
  /** Milliseconds without a search after which the thread ends. */
  readonly idleMs?: number;
  /** The thread is ended if it takes longer, in milliseconds. */
  readonly maxAnswerMs?: number;
  /** Pause after a failure, in milliseconds. */
  readonly restMs?: number;
}

const defaultIdleMs = 60_000;
const defaultMaxAnswerMs = 5_000;
const defaultRestMs = 60_000;

interface Started extends GuardedWorker {
  isReady: boolean;
}

/** A thread that searches mapped segments, one search at a time. It maps them for itself: the memory is shared. */
export function createSearchThread(options: SearchThreadOptions): SearchThread {
  const {
    folder,
    log,
    idleMs = defaultIdleMs,
    maxAnswerMs = defaultMaxAnswerMs,
    restMs = defaultRestMs,
  } = options;
  let current: Started | undefined;
  let ending: Promise<unknown> = Promise.resolve();
  let answered: ((answer?: ThreadAnswer) => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  let notBefore = Number.NEGATIVE_INFINITY;

  const end = (): Promise<unknown> => {
    clearTimeout(timer);
    const ended = current;
    current = undefined;
    answered?.();
    answered = undefined;
    if (ended) ending = Promise.all([ending, ended.end()]);
    return ending;
  };

  const fail = (error: unknown): void => {
    notBefore = performance.now() + restMs;
    log.warn({ err: error }, 'a thread for searches failed; searches go on without it');
    void end();
  };

  /** An idle thread does not keep the process alive. */
  const rest = ({ worker }: Started): void => {
    worker.unref();
    clearTimeout(timer);
    timer = setTimeout(() => void end(), idleMs).unref();
  };

  const start = (): void => {
    const data: ThreadData = { folder };
    const started: Started = { ...startGuardedWorker(workerFile, data), isReady: false };
    const { worker } = started;
    current = started;
    worker.on('message', (message: ThreadMessage) => {
      if (current !== started) return;
      started.isReady = true;
      if (message !== 'ready' && 'why' in message) {
        log.info(message, 'a thread cannot search the index as it was a moment ago');
        answered?.();
      } else if (message !== 'ready') answered?.(message);
      answered = undefined;
      rest(started);
    });
    worker.on('error', (error) => {
      if (current === started) fail(error);
    });
    worker.on('exit', () => {
      if (current === started) fail(new Error('the thread ended'));
    });
    worker.unref();
  };

  return {
    ask: (request) => {
      if (current === undefined && performance.now() >= notBefore) start();
      if (!current?.isReady || answered) return undefined;
      const { worker } = current;
      worker.postMessage(request);
      worker.ref();
      clearTimeout(timer);
      timer = setTimeout(() => fail(new Error(`no answer within ${maxAnswerMs} ms`)), maxAnswerMs);
      return new Promise((resolve) => {
        answered = resolve;
      });
    },
    close: async () => {
      notBefore = Number.POSITIVE_INFINITY;
      await end();
    },
  };
}

const workerFile = new URL('./search-worker.js', import.meta.url);
