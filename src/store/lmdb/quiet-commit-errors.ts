let isQuiet = false;

/**
 * lmdb-js prints every failed commit on stderr with its stack, and there is no option for it; the same error reaches
 * whoever wrote, in words. So what it prints itself is left out. Anything else is printed as ever.
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
