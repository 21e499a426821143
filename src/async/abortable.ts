/**
 * Settles as `work` does, or rejects with the signal's reason as soon as the signal is aborted, even if `work` ignores
 * the signal. `work` itself is not stopped. Its listener is removed once the result has settled.
 */
export function abortable<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
