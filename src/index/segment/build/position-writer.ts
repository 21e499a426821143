import { growArray } from '../../../text/grow-array.ts';
import { asStem, headerShift, inHeadings, maxPositions, withLengths } from '../marks/positions.ts';
import { maxVarintBytes, putVarint, type RecordWriter } from '../marks/record-bytes.ts';
import type { PositionLog } from './position-log.ts';

/** The terms of a page by their slots: first the exact terms, then their stems. */
export interface PageSlots {
  readonly size: number;
  readonly exactTerms: number;
  /** For each exact term: the slot of its stem, `noSlot` without one. */
  readonly stemSlots: Uint32Array;
  readonly positions: PositionLog;
  /** The length of the term in a slot, in UTF-16 units. */
  lengthAt(slot: number): number;
}

/** In place of a slot: there is none. */
export const noSlot = 0xffff_ffff;

/** Maximum bytes of a position: the step and the length. */
const maxPositionBytes = 2 * maxVarintBytes;

/** Up to this number, sorting by insertion is faster than `sort`. */
const maxInserted = 64;
/** Above the number of positions of all forms of a stem, so that a start and a number fit into one key. */
const keyUnit = 2 ** 21;

/** Writes the positions of one page after the other as bytes; docs/segment-format.md describes them. */
export class PositionWriter {
  /** By slot of a stem: its first form's slot; by slot of a form: the next one's. */
  private forms = new Uint32Array(1024);
  /** The positions of several forms: those in the headings, then those in the body. */
  readonly starts = new Uint32Array(2 * maxPositions);
  readonly ends = new Uint32Array(2 * maxPositions);
  private keys = new Float64Array(1024);
  private picked = new Uint32Array(1024);

  /** Writes the positions of each slot, one after the other. */
  write(page: PageSlots, into: RecordWriter): void {
    const { size, exactTerms, stemSlots, positions } = page;
    positions.sort(2 * exactTerms);
    this.linkForms(page);
    const { forms } = this;
    for (let slot = 0; slot < exactTerms; slot++) {
      const stem = stemSlots[slot] as number;
      const isOnlyForm = stem !== noSlot && forms[stem] === slot && forms[slot] === noSlot;
      if (isOnlyForm) into.varint(asStem);
      else encodeSlot(positions, slot, page.lengthAt(slot), into);
    }
    for (let stem = exactTerms; stem < size; stem++) {
      const first = forms[stem] as number;
      if (first === noSlot) into.varint(0);
      else if (forms[first] === noSlot) encodeSlot(positions, first, page.lengthAt(stem), into);
      else {
        const headings = this.takeForms(positions, first, 0, 0);
        const end = this.takeForms(positions, first, 1, headings);
        encode(this, { first: 0, headings, end }, page.lengthAt(stem), into);
      }
    }
  }

  /** Makes a list of the forms of each stem that have positions. */
  private linkForms({ size, exactTerms, stemSlots, positions }: PageSlots): void {
    this.forms = growArray(this.forms, size);
    const { forms } = this;
    forms.fill(noSlot, 0, size);
    for (let slot = exactTerms - 1; slot >= 0; slot--) {
      const stem = stemSlots[slot] as number;
      if (stem === noSlot || positions.startOf(2 * slot) === positions.endOf(2 * slot + 1)) continue;
      forms[slot] = forms[stem] as number;
      forms[stem] = slot;
    }
  }

  /**
   * Copies the positions of all forms of a stem to index `to` and up: the first `maxPositions` in the order of the text.
   * Returns the end.
   */
  private takeForms(positions: PositionLog, first: number, field: 0 | 1, to: number): number {
    const { forms } = this;
    let count = 0;
    for (let form = first; form !== noSlot; form = forms[form] as number) {
      const last = positions.endOf(2 * form + field);
      for (let index = positions.startOf(2 * form + field); index < last; index++) {
        this.keys = growKeys(this.keys, count + 1);
        this.picked = growArray(this.picked, count + 1);
        this.keys[count] = (positions.starts[index] as number) * keyUnit + count;
        this.picked[count++] = index;
      }
    }
    sortKeys(this.keys, count);
    this.putLongerFirst(positions, count);
    const taken = Math.min(count, maxPositions);
    for (let key = 0; key < taken; key++) {
      const index = this.picked[(this.keys[key] as number) % keyUnit] as number;
      this.starts[to + key] = positions.starts[index] as number;
      this.ends[to + key] = positions.ends[index] as number;
    }
    return to + taken;
  }

  /** Of positions that begin together, the longer is first, as `inReadingOrder` has it. CJK terms have no stem. */
  private putLongerFirst({ ends }: PositionLog, count: number): void {
    const { keys, picked } = this;
    const startAt = (at: number) => Math.floor((keys[at] as number) / keyUnit);
    const endAt = (at: number) => ends[picked[(keys[at] as number) % keyUnit] as number] as number;
    for (let index = 1; index < count; index++) {
      for (let at = index; at > 0 && startAt(at - 1) === startAt(at) && endAt(at - 1) < endAt(at); at--)
        [keys[at - 1], keys[at]] = [keys[at] as number, keys[at - 1] as number];
    }
  }
}

/** Where the positions of a term are: those in the headings, then those in the body. */
interface PositionRange {
  readonly first: number;
  /** Number of those in the headings. */
  readonly headings: number;
  readonly end: number;
}

interface Occurrences {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** Writes the positions in a slot of a sorted log. */
function encodeSlot(positions: PositionLog, slot: number, length: number, into: RecordWriter): void {
  const first = positions.startOf(2 * slot);
  const headings = positions.endOf(2 * slot) - first;
  const end = positions.endOf(2 * slot + 1);
  putLongerFirst(positions, first, first + headings);
  putLongerFirst(positions, first + headings, end);
  encode(positions, { first, headings, end }, length, into);
}

/** As the method of `PositionWriter`: words that begin together are one term where they are cut. */
function putLongerFirst({ starts, ends }: Occurrences, first: number, end: number): void {
  for (let index = first + 1; index < end; index++) {
    for (let at = index - 1; at >= first && starts[at] === starts[index]; at--) {
      const [one, other] = [ends[at] as number, ends[at + 1] as number];
      if (one >= other) break;
      ends[at] = other;
      ends[at + 1] = one;
    }
  }
}

/** Writes the header and the positions of a term of `length` units. */
function encode(
  { starts, ends }: Occurrences,
  { first, headings, end }: PositionRange,
  length: number,
  into: RecordWriter,
): void {
  let hasLengths = 0;
  for (let index = first; index < end; index++)
    hasLengths |= (ends[index] as number) - (starts[index] as number) - length;
  into.reserve(2 * maxVarintBytes + maxPositionBytes * (end - first));
  const { bytes, end: header } = into;
  // Most headers have one byte; the list is moved for the others.
  let to = header + 1;
  if (headings > 0) to = putVarint(bytes, to, headings);
  let last = length;
  let before = 0;
  for (let index = first; index < end; index++) {
    if (index === first + headings) before = 0;
    const start = starts[index] as number;
    const step = start - before;
    before = start;
    if (hasLengths === 0) to = putVarint(bytes, to, step);
    else {
      const own = (ends[index] as number) - start;
      to = putVarint(bytes, to, 2 * step + (own === last ? 0 : 1));
      if (own !== last) to = putVarint(bytes, to, own);
      last = own;
    }
  }
  const flags = (headings > 0 ? inHeadings : 0) | (hasLengths === 0 ? 0 : withLengths);
  const value = ((to - header - 1) << headerShift) | flags;
  if (value <= 0x7f) {
    bytes[header] = value;
    into.end = to;
    return;
  }
  const listStart = header + varintBytes(value);
  bytes.copyWithin(listStart, header + 1, to);
  putVarint(bytes, header, value);
  into.end = listStart + to - header - 1;
}

/** The bytes of a number as `putVarint` writes it. */
function varintBytes(value: number): number {
  let bytes = 1;
  for (let rest = value; rest > 0x7f; rest >>>= 7) bytes++;
  return bytes;
}

function growKeys(keys: Float64Array<ArrayBuffer>, length: number): Float64Array<ArrayBuffer> {
  if (length <= keys.length) return keys;
  const grown = new Float64Array(2 * keys.length);
  grown.set(keys);
  return grown;
}

function sortKeys(keys: Float64Array, count: number): void {
  if (count > maxInserted) {
    keys.subarray(0, count).sort();
    return;
  }
  for (let index = 1; index < count; index++) {
    const key = keys[index] as number;
    let to = index;
    for (; to > 0 && (keys[to - 1] as number) > key; to--) keys[to] = keys[to - 1] as number;
    keys[to] = key;
  }
}
