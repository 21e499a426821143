import { printableJson } from './printable.ts';

/** The first line comes at once, then one every two seconds. */
const lineEveryMs = 2000;

/** Writes one of its lines every two seconds, to show that work goes on; none when `quiet`. */
export function createLineProgress(stream: NodeJS.WritableStream, quiet = false): (line: string) => void {
  let shownAt = quiet ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  return (line) => {
    if (performance.now() - shownAt < lineEveryMs) return;
    shownAt = performance.now();
    stream.write(`${line}\n`);
  };
}

/** Lines of JSON for machines: `{"kind":"progress",…}` every two seconds, other kinds at once. */
export function createJsonLines(stream: NodeJS.WritableStream, quiet = false) {
  const sometimes = createLineProgress(stream, quiet);
  return {
    progress: (state: object): void => sometimes(printableJson({ kind: 'progress', ...state })),
    write: (line: { readonly kind: string; readonly [field: string]: unknown }): void => {
      stream.write(`${printableJson(line)}\n`);
    },
  };
}
