/** Why a document is not read: the named outcomes that the crawler counts and shows. */
export type Refusal =
  | 'encrypted'
  | 'damaged file'
  | 'unpacks to too much'
  | 'takes too long'
  | 'takes too much memory'
  | 'unsupported type'
  | 'reader failed';

/** Thrown inside a document's reader, and turned into an outcome where the document came in. */
export class Refused extends Error {
  readonly why: Refusal;

  constructor(why: Refusal) {
    super(why);
    this.why = why;
  }
}

/** What a reader throws on bytes that are not what they should be is damage to the file, never to us. */
export function refusalOf(error: unknown): Refusal {
  return error instanceof Refused ? error.why : 'damaged file';
}
