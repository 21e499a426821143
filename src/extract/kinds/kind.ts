import type { Reading } from '../extracted.ts';

/** A file that may be of one of the kinds below. */
export interface KindFile {
  readonly url: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly bytes: Uint8Array;
  /** Media type of the HTTP header in lower case, without parameters; empty without one. */
  readonly mediaType: string;
  /** The ending of the URL's path in lower case, without the dot; empty without one. */
  readonly ending: string;
  /** The first 4 KB, byte by byte as latin1, without a byte order mark and white space at its start. */
  readonly beginning: string;
  /** The decoded text; undefined where it cannot be decoded. */
  text(): string | undefined;
}

/** A kind of file that is neither a page nor an office document: one file here, listed in `registry.ts`. */
export interface Kind {
  readonly name: string;
  /** Media types that say so whatever the file begins with. */
  readonly mediaTypes: readonly string[];
  /** Endings that say so where the media type says nothing more than text. */
  readonly endings: readonly string[];
  /** Whether the beginning agrees; without media type and ending, whether it alone says so. */
  begins?(file: KindFile): 'yes' | 'maybe' | 'no';
  /** Null for a file that is not of this kind after all: the next one is asked. */
  read(file: KindFile): Reading | null;
}
