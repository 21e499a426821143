import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { containerOf, maxPdfWallMs } from './documents/index.ts';
import type { Extraction, FetchedFile } from './extract.ts';

export interface ExtractPool {
  /**
   * Extracts a page in a worker thread. `bytes` are transferred: the caller must not use them any more. A page that
   * crashes its worker, or takes too long, is `unreadable`. Never rejects before `close`.
   */
  extract(fetched: FetchedFile): Promise<Extraction>;
  /** Ends the workers; pages under way are `unreadable`. */
  close(): Promise<void>;
}

export interface ExtractPoolOptions {
  /** Threads, each with the tables of the language detector (about 180 MB); started when there is work. */
  readonly workers?: number;
  /** For one page; a PDF has its own limits. */
  readonly timeoutMs?: number;
  /** A thread without work ends after this time, which frees its memory. */
  readonly idleMs?: number;
  /** The module that the threads run, for tests. */
  readonly workerFile?: URL;
}

interface Job {
  readonly fetched: FetchedFile;
  readonly settle: (extraction: Extraction) => void;
}

interface Reader {
  readonly worker: Worker;
  job: Job | undefined;
  /** Ends the worker when its job takes too long, or when it is idle too long. */
  timer: NodeJS.Timeout | undefined;
}

/** One processor stays free for requests, storage and searches; with more than four workers, those are the bottleneck. */
const maxWorkers = 4;
const defaultWorkers = Math.max(1, Math.min(maxWorkers, availableParallelism() - 1));
/** Extraction is linear in a page's length, so no page within the size limit comes near this. */
const defaultTimeoutMs = 60_000;
/** Longer than the PDF reader's own limit, which gives the better reason. */
const pdfTimeoutMs = maxPdfWallMs + 30_000;
/** Longer than the pauses of a crawl of one polite host. */
const defaultIdleMs = 60_000;
/** JavaScript heap of one thread: a page at the size limit takes a few hundred megabytes. */
const maxHeapMb = 1024;

/** Worker threads for extraction, so that searches are answered while pages are read at full speed. */
export function createExtractPool(options: ExtractPoolOptions = {}): ExtractPool {
  const { workers = defaultWorkers, workerFile = defaultWorkerFile } = options;
  const { timeoutMs = defaultTimeoutMs, idleMs = defaultIdleMs } = options;
  const readers = new Set<Reader>();
  const queue: Job[] = [];
  let closed = false;

  const end = (reader: Reader, why: string): void => {
    readers.delete(reader);
    void reader.worker.terminate();
    finish(reader, { kind: 'unreadable', why });
  };

  const finish = (reader: Reader, extraction: Extraction): void => {
    const { job, timer } = reader;
    clearTimeout(timer);
    reader.job = undefined;
    job?.settle(extraction);
    next();
    if (reader.job !== undefined || !readers.has(reader)) return;
    clearTimeout(reader.timer);
    reader.timer = setTimeout(() => end(reader, 'has nothing to read'), idleMs).unref();
  };

  const start = (): Reader => {
    const worker = new Worker(workerFile, { resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } });
    const reader: Reader = { worker, job: undefined, timer: undefined };
    readers.add(reader);
    worker.on('message', (extraction: Extraction) => finish(reader, extraction));
    worker.on('error', () => end(reader, 'could not be read'));
    worker.on('exit', () => end(reader, 'could not be read'));
    return reader;
  };

  const give = (reader: Reader, job: Job): void => {
    reader.job = job;
    clearTimeout(reader.timer);
    const bytes = ownBytes(job.fetched.bytes);
    const limitMs = containerOf(bytes) === 'pdf' ? pdfTimeoutMs : timeoutMs;
    reader.timer = setTimeout(() => end(reader, 'took too long to read'), limitMs);
    reader.worker.postMessage({ ...job.fetched, bytes }, [bytes.buffer]);
  };

  const next = (): void => {
    const idle = [...readers].find((reader) => reader.job === undefined);
    if (queue.length === 0 || closed || (idle === undefined && readers.size >= workers)) return;
    const job = queue.shift();
    if (job !== undefined) give(idle ?? start(), job);
  };

  return {
    extract: (fetched) =>
      new Promise((settle) => {
        if (closed) return settle({ kind: 'unreadable', why: 'the reader is closed' });
        queue.push({ fetched, settle });
        next();
      }),
    async close() {
      closed = true;
      for (const { settle } of queue.splice(0)) settle({ kind: 'unreadable', why: 'the reader is closed' });
      await Promise.all(
        [...readers].map(async (reader) => {
          end(reader, 'the reader is closed');
          await reader.worker.terminate();
        }),
      );
    },
  };
}

/** Bytes with a buffer of their own, which can be transferred: small ones share a pool buffer of Node. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  return buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength
    ? new Uint8Array(buffer)
    : new Uint8Array(bytes);
}

const defaultWorkerFile = new URL('./extract-worker.js', import.meta.url);
