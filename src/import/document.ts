/** Something that may be a page: bytes, where they are from, and what is said of them. */
export interface Document {
  readonly kind: 'document';
  readonly url: string;
  readonly bytes: Uint8Array;
  /** As in HTTP; null when nothing is known. */
  readonly contentType: string | null;
  /** Epoch milliseconds; the time of the import when not given. */
  readonly crawledAt?: number;
  /** The `X-Robots-Tag` that it came with. */
  readonly robotsTag?: string;
}

/** Something that is not imported, and why; without a URL it is a file or folder that cannot be read. */
export interface Refused {
  readonly kind: 'refused';
  readonly url: string | null;
  readonly why: string;
}

/** A place in an archive that cannot be read. */
export interface Damage {
  readonly kind: 'damaged';
  readonly why: string;
  /** Of the file where it could not be unpacked, else of what is in it. */
  readonly lostBytes: number;
  /** At least so many: what cannot be read cannot be counted. */
  readonly lostRecords: number;
}
