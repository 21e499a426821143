/** A possible page: bytes, their URL, and their metadata. */
export interface Document {
  readonly kind: 'document';
  readonly url: string;
  readonly bytes: Uint8Array;
  /** As in HTTP; null when unknown. */
  readonly contentType: string | null;
  /** Epoch milliseconds; the time of the import when not given. */
  readonly crawledAt?: number;
  /** The value of its `X-Robots-Tag` header. */
  readonly robotsTag?: string | undefined;
  /** Whether it came with credentials. */
  readonly isPrivate?: boolean;
}

/** A document that is not imported, and why; without a URL, a file or folder that cannot be read. */
export interface RefusedItem {
  readonly kind: 'refused';
  readonly url: string | null;
  readonly why: string;
}

/** A place in an archive that cannot be read. */
export interface Damage {
  readonly kind: 'damaged';
  readonly why: string;
  /** Bytes of the file where it could not be unpacked, otherwise of its content. */
  readonly lostBytes: number;
  /** A minimum: records in unreadable bytes cannot be counted. */
  readonly lostRecords: number;
}
