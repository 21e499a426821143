/** Why a document is not read; the crawler counts and shows these reasons. */
export type Refusal =
  | 'encrypted'
  | 'damaged file'
  | 'unpacks to too much'
  | 'takes too long'
  | 'takes too much memory'
  | 'unreadable fonts'
  | 'unsupported type'
  | 'reader failed';

/** Thrown inside a document's reader; the entry point turns it into an outcome. */
export class RefusedDocument extends Error {
  readonly why: Refusal;

  constructor(why: Refusal) {
    super(why);
    this.why = why;
  }
}

/** The reason for an error of a reader. Any exception on malformed bytes is reported as a damaged file. */
export function refusalOf(error: unknown): Refusal {
  return error instanceof RefusedDocument ? error.why : 'damaged file';
}
