/**
 * A signal that the first SIGINT or SIGTERM aborts. The second one ends the process at once, as is the default.
 */
export function stopSignal(): AbortSignal {
  const stop = new AbortController();
  const names = ['SIGINT', 'SIGTERM'] as const;
  const onSignal = (name: NodeJS.Signals): void => {
    for (const each of names) process.off(each, onSignal);
    stop.abort(new Error(`stopped by ${name}`));
  };
  for (const name of names) process.on(name, onSignal);
  return stop.signal;
}

export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
