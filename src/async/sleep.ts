/** Resolves after `ms` milliseconds; rejects with the signal's reason as soon as it is aborted. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

/** The longest wait that a timer can count; Node fires at once for a longer one. */
const maxTimerMs = 2 ** 31 - 1;

/** The real `Sleep`; a test passes one of its own. */
export const sleep: Sleep = (ms, signal) =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', stop);
        resolve();
      },
      Math.min(Math.ceil(ms), maxTimerMs),
    );
    signal?.addEventListener('abort', stop, { once: true });
  });
