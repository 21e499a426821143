import { Worker } from 'node:worker_threads';

/** A text whose language is to be detected. `declared` decides where the text does not. */
export interface LanguageSample {
  readonly text: string;
  readonly declared?: string | undefined;
}

/** ISO 639-1 or `und` for each text, in their order. */
export type DetectLanguages = (texts: readonly LanguageSample[]) => Promise<readonly string[]>;

export interface LanguageThread {
  /** Rejects if the thread cannot be started, or is closed before it answers. */
  readonly detect: DetectLanguages;
  /** Starts to load the tables, so that a call that follows soon is fast. */
  warmUp(): void;
  close(): Promise<void>;
}

export interface DetectionRequest {
  readonly id: number;
  readonly texts: readonly LanguageSample[];
}

export interface DetectionResponse {
  readonly id: number;
  readonly languages: readonly string[];
}

interface PendingRequest {
  resolve(languages: readonly string[]): void;
  reject(error: Error): void;
}

const defaultIdleMs = 60_000;

/**
 * The language detector in its own thread, so that the process stays responsive while the tables load (see
 * `loadLanguageDetector` for their cost). The thread starts at the first call, and ends after `idleMs` without one, which
 * frees its memory.
 */
export function createLanguageThread({ idleMs = defaultIdleMs } = {}): LanguageThread {
  const pending = new Map<number, PendingRequest>();
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;

  const end = async (reason: Error): Promise<void> => {
    const ended = worker;
    worker = undefined;
    clearTimeout(idle);
    for (const { reject } of pending.values()) reject(reason);
    pending.clear();
    await ended?.terminate();
  };

  const endWhenIdle = (): void => {
    clearTimeout(idle);
    if (pending.size > 0) return;
    // Unref an idle worker, so that it does not keep the process alive.
    worker?.unref();
    idle = setTimeout(() => void end(new Error('idle')), idleMs).unref();
  };

  const start = (): Worker => {
    const started = new Worker(workerFile);
    started.on('message', ({ id, languages }: DetectionResponse) => {
      pending.get(id)?.resolve(languages);
      pending.delete(id);
      endWhenIdle();
    });
    started.on('error', (error) => {
      if (worker === started) void end(error);
    });
    return started;
  };

  const warmUp = (): void => {
    worker ??= start();
    endWhenIdle();
  };

  return {
    warmUp,
    detect: (texts) =>
      new Promise((resolve, reject) => {
        warmUp();
        clearTimeout(idle);
        const id = ++lastId;
        pending.set(id, { resolve, reject });
        worker?.ref();
        worker?.postMessage({ id, texts } satisfies DetectionRequest);
      }),
    close: () => end(new Error('the language detector is closed')),
  };
}

const workerFile = new URL('./language-worker.js', import.meta.url);
