export function searchPath(q: string): string {
  return `/api/v1/search?${new URLSearchParams({ q })}`;
}

/** Gives one value after the other, and begins again after the last. */
export function inTurn<Value>(values: readonly Value[]): () => Value {
  let next = 0;
  return () => values[next++ % values.length] as Value;
}
