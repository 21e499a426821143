let isQuiet = false;

/**
 * Suppresses what lmdb-js prints on stderr for each failed commit, with a stack: it has no option for that, and the
 * caller of the write gets the same error. All other output is printed as before.
 */
export function quietCommitErrors(): void {
  if (isQuiet) return;
  isQuiet = true;
  // biome-ignore lint/suspicious/noConsole: lmdb-js prints there, not we.
  const print = console.error;
  console.error = (...items: unknown[]): void => {
    if (!isCommitError(items[0])) print(...items);
  };
}

function isCommitError(item: unknown): boolean {
  if (!(item instanceof Error) || typeof (item as { code?: unknown }).code !== 'number') return false;
  return /[\\/]lmdb[\\/]/.test(item.stack ?? '');
}
