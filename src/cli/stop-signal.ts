/**
 * A signal that is aborted by the first SIGINT or SIGTERM. The second one ends the process at once, as it would
 * have without us.
 */
export function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    const onSignal = (): void => {
      process.off(name, onSignal);
      stop.abort(new Error(`stopped by ${name}`));
    };
    process.on(name, onSignal);
  }
  return stop.signal;
}
