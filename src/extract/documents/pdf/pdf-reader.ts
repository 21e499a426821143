import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { PdfOutcome } from './pdf-document.ts';
import { maxPdfCpuMs, maxPdfWallMs } from './pdf-limits.ts';
import { tooLongMark } from './pdf-watch.ts';

export interface PdfReaderOptions {
  /** Processor time for one document, over all threads of the process; measured by the process itself. */
  readonly maxCpuMs?: number;
  /** Time on the clock for one document, the start of the process included. */
  readonly maxWallMs?: number;
  /** Limits of the process: its JavaScript heap, and all of its memory. */
  readonly maxHeapMB?: number;
  readonly maxResidentMB?: number;
  /** An idle process is ended after this time. */
  readonly idleMs?: number;
}

export interface PdfReader {
  /** Never rejects: a document that is damaged, encrypted, too slow or too large in memory is refused with that reason. */
  read(bytes: Uint8Array): Promise<PdfOutcome>;
  /** Ends the process; the document under way is refused. */
  close(): Promise<void>;
}

interface Answer {
  readonly outcome: PdfOutcome;
  readonly residentBytes: number;
}

/** The parent kills a late child. The child kills itself this much later, in case the parent has died. */
const graceMs = 5000;
/** Maximum characters kept of the child's standard error, which has the reason why it ends. */
const maxWordsLength = 4096;

const childFile = fileURLToPath(new URL('./pdf-child.js', import.meta.url));

/**
 * Reads PDFs one after the other in a child process. It is started when first needed, kept for the next document, and
 * restarted after a fault. While idle, it does not keep this process alive.
 */
export function createPdfReader(options: PdfReaderOptions = {}): PdfReader {
  const { maxCpuMs = maxPdfCpuMs, maxWallMs = maxPdfWallMs, maxHeapMB = 256 } = options;
  const { maxResidentMB = 512, idleMs = 30_000 } = options;
  let child: ChildProcess | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;
  let closed = false;

  const start = (): ChildProcess => {
    // No environment: reading needs none, and a hostile file should find nothing there.
    const limits = [maxResidentMB, maxCpuMs, maxWallMs + graceMs].map(String);
    const started = fork(childFile, limits, {
      execArgv: [`--max-old-space-size=${maxHeapMB}`],
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    // A killed process may still emit a write error.
    started.on('error', () => {});
    started.once('exit', () => {
      if (child === started) child = undefined;
    });
    return started;
  };
  const stop = () => {
    child?.kill('SIGKILL');
    child = undefined;
  };
  const rest = (residentBytes: number) => {
    // More than half of its memory is in use: a new process gives the next document all of it.
    if (residentBytes > (maxResidentMB / 2) * 1024 * 1024) stop();
    child?.unref();
    child?.channel?.unref();
    (child?.stderr as Socket | null | undefined)?.unref();
    idle = setTimeout(stop, idleMs).unref();
  };

  const ask = (bytes: Uint8Array): Promise<PdfOutcome> =>
    new Promise((resolve) => {
      clearTimeout(idle);
      if (closed) return resolve({ kind: 'refused', why: 'reader failed' });
      child ??= start();
      const current = child;
      current.ref();
      current.channel?.ref();
      const words = current.stderr as Socket | null;
      words?.ref();
      let said = '';
      const onWords = (piece: Buffer) => {
        said = (said + piece).slice(-maxWordsLength);
      };
      let isLate = false;
      let isOver = false;
      const end = (outcome: PdfOutcome, residentBytes = 0) => {
        // A process that dies during a write reports it twice.
        if (isOver) return;
        isOver = true;
        clearTimeout(timer);
        current.off('message', onMessage).off('close', onEnd).off('error', onError);
        words?.off('data', onWords);
        rest(residentBytes);
        resolve(outcome);
      };
      const timer = setTimeout(() => {
        isLate = true;
        current.kill('SIGKILL');
      }, maxWallMs);
      const onMessage = (answer: unknown) => {
        const { outcome, residentBytes } = answer as Answer;
        end(outcome, residentBytes);
      };
      // Without a message the process ends by itself for one reason only: out of memory. `close` comes after its stderr.
      const onEnd = () => {
        const isTooLong = isLate || said.includes(tooLongMark);
        end({
          kind: 'refused',
          why: closed ? 'reader failed' : isTooLong ? 'takes too long' : 'takes too much memory',
        });
      };
      const onError = () => {
        if (!isOver) stop();
        end({ kind: 'refused', why: 'reader failed' });
      };
      words?.on('data', onWords);
      current.once('message', onMessage).once('close', onEnd).once('error', onError);
      current.send({ bytes }, (error) => {
        if (error) onError();
      });
    });

  return {
    read(bytes) {
      const answer = last.then(() => ask(bytes));
      last = answer;
      return answer;
    },
    async close() {
      closed = true;
      clearTimeout(idle);
      stop();
      await last;
    },
  };
}
