/** A line at once and then one every two seconds. */
const lineEveryMs = 2000;

/** Writes some of the lines that it is given: enough to see that work goes on. */
export function createLineProgress(stream: NodeJS.WritableStream): (line: string) => void {
  let shownAt = Number.NEGATIVE_INFINITY;
  return (line) => {
    if (performance.now() - shownAt < lineEveryMs) return;
    shownAt = performance.now();
    stream.write(`${line}\n`);
  };
}

/** Lines of JSON for machines: `{"kind":"progress",…}` every two seconds, other kinds at once. */
export function createJsonLines(stream: NodeJS.WritableStream) {
  const sometimes = createLineProgress(stream);
  return {
    progress: (state: object): void => sometimes(JSON.stringify({ kind: 'progress', ...state })),
    write: (line: { readonly kind: string; readonly [field: string]: unknown }): void => {
      stream.write(`${JSON.stringify(line)}\n`);
    },
  };
}
