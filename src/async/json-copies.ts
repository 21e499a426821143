/** Estimated bytes of a cached answer besides its texts. */
const frameBytes = 512;

/** Copies of answers that a cache keeps, with their sizes. */
export interface JsonCopies<Answer extends object> {
  /** A slice of a page's text may keep the whole text in memory; a copy does not. */
  copy(answer: Answer): Answer;
  /** The size of a copy. */
  bytesOf(copied: Answer): number;
}

/** Answers are copied as JSON, which is what clients get of them. */
export function createJsonCopies<Answer extends object>(): JsonCopies<Answer> {
  const sizes = new WeakMap<Answer, number>();
  return {
    copy: (answer) => {
      const json = JSON.stringify(answer);
      const copied: Answer = JSON.parse(json);
      sizes.set(copied, 2 * json.length + frameBytes);
      return copied;
    },
    bytesOf: (copied) => sizes.get(copied) ?? frameBytes,
  };
}
