import { crc32 } from 'node:zlib';
import { headerLength, isTrailerOf, type ReadAt, trailerBytes, unpackAtOnce } from './gzip-member.ts';
import { inflatePieces } from './inflate-pieces.ts';
import { nextMember } from './next-gzip-member.ts';
import type { Piece } from './piece.ts';

/** Most members fit into it and are unpacked in one call. */
const windowBytes = 256 * 1024;

/**
 * Unpacks a gzip file (RFC 1952) member by member. The readable part of a damaged member comes with a `doubt`, then a
 * `gap`, then the next member that can be found.
 */
export async function* readGzipMembers(read: ReadAt, size: number): AsyncGenerator<Piece> {
  let offset = 0;
  while (offset < size) {
    const window = await read(offset, windowBytes);
    // Tapes and block devices are padded with zeros; gzip(1) skips them too.
    if (window.every((byte) => byte === 0)) {
      offset += window.length;
      continue;
    }
    const start = headerLength(window);
    const whole = start === undefined ? undefined : unpackAtOnce(window, start);
    if (whole !== undefined) {
      yield { kind: 'bytes', bytes: whole.bytes, startsMember: true };
      yield { kind: 'sound' };
      offset += whole.length;
      continue;
    }
    const end = start === undefined ? damaged : await endOfMember(read, offset + start);
    if (start !== undefined) yield* unpack(read, offset + start, end);
    if (end.kind === 'sound') {
      yield { kind: 'sound' };
      offset = end.next;
      continue;
    }
    const next = (await nextMember(read, offset + 1, size)) ?? size;
    yield { kind: 'gap', why: end.why, lostBytes: next - offset };
    offset = next;
  }
}

type MemberEnd =
  | { readonly kind: 'sound'; readonly next: number }
  | { readonly kind: 'broken'; readonly why: string };

const damaged: MemberEnd = { kind: 'broken', why: 'damaged compression' };
const cutShort = 'cut short';

/** Unpacks a member to its end, to know whether it is sound before any of its content is used. */
async function endOfMember(read: ReadAt, dataStart: number): Promise<MemberEnd> {
  let checksum = 0;
  let length = 0;
  const inflating = inflatePieces(read, dataStart);
  for (;;) {
    const { done, value } = await inflating.next();
    if (!done) {
      checksum = crc32(value, checksum);
      length += value.length;
      continue;
    }
    if (value.kind === 'broken') return value;
    const trailer = await read(value.next, trailerBytes);
    if (trailer.length < trailerBytes) return { kind: 'broken', why: cutShort };
    return isTrailerOf(trailer, checksum, length)
      ? { kind: 'sound', next: value.next + trailerBytes }
      : { kind: 'broken', why: 'wrong checksum' };
  }
}

async function* unpack(read: ReadAt, dataStart: number, end: MemberEnd): AsyncGenerator<Piece> {
  // Data before a cut is not doubtful.
  const doubt = end.kind === 'broken' && end.why !== cutShort ? { doubt: end.why } : {};
  let startsMember = true;
  for await (const bytes of inflatePieces(read, dataStart)) {
    yield { kind: 'bytes', bytes, startsMember, ...doubt };
    startsMember = false;
  }
}
