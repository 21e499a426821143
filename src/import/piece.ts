/** A piece of the unpacked content of an archive, in order. */
export type Piece =
  /** `startsMember`: the first bytes of a gzip member. `doubt`: what is wrong with their member. */
  | {
      readonly kind: 'bytes';
      readonly bytes: Uint8Array;
      readonly startsMember?: boolean;
      readonly doubt?: string;
    }
  /** A gzip member has ended, and its content matches its checksum. */
  | { readonly kind: 'sound' }
  /** `lostBytes` of the file could not be unpacked. The content before them in the same member came already. */
  | { readonly kind: 'gap'; readonly why: string; readonly lostBytes: number };
