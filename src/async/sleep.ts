/** Resolves after `ms` milliseconds; rejects with the signal's reason as soon as it is aborted. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

/** Maximum delay of a Node timer; a longer one would fire at once. */
const maxTimerMs = 2 ** 31 - 1;

/** The real `Sleep`; tests pass their own. */
export const sleep: Sleep = (ms, signal) =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      },
      Math.min(Math.ceil(ms), maxTimerMs),
    );
    signal?.addEventListener('abort', abort, { once: true });
  });
