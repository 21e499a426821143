import { growArray } from '../../../text/grow-array.ts';
import { asStem, headerShift, inHeadings, maxPositions, withLengths } from '../marks/positions.ts';
import type { RecordWriter } from '../marks/record-bytes.ts';
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

/** The number of the positions in the headings, then two numbers for each position, of five bytes at most. */
const maxListBytes = 5 * (1 + 2 * 2 * maxPositions);

/** Up to this number, sorting by insertion is faster than `sort`. */
const maxInserted = 64;
/** Above the number of positions of all forms of a stem, so that a start and a number fit into one key. */
const keyUnit = 2 ** 21;

/** Writes the positions of one page after the other as bytes; docs/segment-format.md describes them. */
export class PositionWriter {
  /** By slot of a stem: its first form's slot; by slot of a form: the next one's. */
  private forms = new Uint32Array(1024);
  /** The positions that are written next: those in the headings, then those in the body. */
  private readonly starts = new Uint32Array(2 * maxPositions);
  private readonly ends = new Uint32Array(2 * maxPositions);
  private keys = new Float64Array(1024);
  private picked = new Uint32Array(1024);
  private readonly list = new Uint8Array(maxListBytes);

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
      else {
        const headings = this.take(positions, 2 * slot, 0);
        this.encode(headings, this.take(positions, 2 * slot + 1, headings), page.lengthAt(slot), into);
      }
    }
    for (let stem = exactTerms; stem < size; stem++) {
      const headings = this.takeForms(positions, stem, 0, 0);
      this.encode(headings, this.takeForms(positions, stem, 1, headings), page.lengthAt(stem), into);
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

  /** Copies a list of positions to index `to` and up; returns the end. */
  private take(positions: PositionLog, list: number, to: number): number {
    let end = to;
    const last = positions.endOf(list);
    for (let index = positions.startOf(list); index < last; index++, end++) {
      this.starts[end] = positions.starts[index] as number;
      this.ends[end] = positions.ends[index] as number;
    }
    return end;
  }

  /** As `take` for all forms of a stem: the first `maxPositions` in the order of the text. */
  private takeForms(positions: PositionLog, stem: number, field: 0 | 1, to: number): number {
    const { forms } = this;
    const first = forms[stem] as number;
    if (first === noSlot) return to;
    if (forms[first] === noSlot) return this.take(positions, 2 * first + field, to);
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

  /** Writes `headings` positions in the headings and those after them, up to `end`, in the body. */
  private encode(headings: number, end: number, length: number, into: RecordWriter): void {
    const { starts, ends, list } = this;
    let hasLengths = false;
    for (let index = 0; index < end; index++)
      if ((ends[index] as number) - (starts[index] as number) !== length) hasLengths = true;
    let size = headings > 0 ? putVarint(list, 0, headings) : 0;
    let last = length;
    let before = 0;
    for (let index = 0; index < end; index++) {
      if (index === headings) before = 0;
      const start = starts[index] as number;
      const own = (ends[index] as number) - start;
      const step = start - before;
      before = start;
      if (!hasLengths) size = putVarint(list, size, step);
      else {
        size = putVarint(list, size, 2 * step + (own === last ? 0 : 1));
        if (own !== last) size = putVarint(list, size, own);
        last = own;
      }
    }
    const flags = (headings > 0 ? inHeadings : 0) | (hasLengths ? withLengths : 0);
    into.varint((size << headerShift) | flags);
    into.append(list, 0, size);
  }
}

/** Writes a number as `RecordWriter` does; returns the end. */
function putVarint(bytes: Uint8Array, offset: number, value: number): number {
  let end = offset;
  let rest = value;
  while (rest > 0x7f) {
    bytes[end++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  bytes[end++] = rest;
  return end;
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
