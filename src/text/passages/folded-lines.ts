import { growArray } from '../grow-array.ts';
import { foldForComparison } from '../line/fold-for-comparison.ts';
import { staysAsItIs } from '../normal-form.ts';

const separator = 0;
/** In place of a unit: what it is folded to depends on the units around it. */
const depends = 0xffff;
const notChecked = 0xfffe;
export const notKnown = -1;
const space = 0x20;
const letterOrDigit = /[\p{L}\p{N}]/u;
const finalSigma = 0x3a3;

const folds = new Uint16Array(0x10000).fill(notChecked);

/** What `foldForComparison` makes of a unit, whatever is around it; `separator` for what is no letter and no digit. */
function foldUnit(unit: number): number {
  let folded = folds[unit] as number;
  if (folded !== notChecked) return folded;
  const character = String.fromCharCode(unit);
  const lower = character.toLowerCase();
  if (unit === finalSigma || lower.length !== 1 || !staysAsItIs(unit)) folded = depends;
  else folded = letterOrDigit.test(lower) ? lower.charCodeAt(0) : separator;
  folds[unit] = folded;
  return folded;
}

/**
 * The first unit of a stretch as `foldForComparison` folds it; `notKnown` if that depends on the units around it, or if
 * the stretch has neither a letter nor a digit.
 */
export function firstFolded(textUnits: Uint16Array, start: number, end: number): number {
  let offset = start;
  let unit = separator;
  while (offset < end && unit === separator) unit = foldUnit(textUnits[offset++] as number);
  if (unit === separator || unit === depends) return notKnown;
  return offset < end && foldUnit(textUnits[offset] as number) === depends ? notKnown : unit;
}

/** A line as `foldForComparison` folds it, in UTF-16 units; one line after the other, without strings for most of them. */
export class FoldedLine {
  units = new Uint16Array(256);
  length = 0;

  /** Folds a stretch of a text. */
  fold(text: string, textUnits: Uint16Array, start: number, end: number): void {
    this.units = growArray(this.units, end - start);
    const { units } = this;
    let length = 0;
    let isApart = false;
    for (let offset = start; offset < end; offset++) {
      const unit = foldUnit(textUnits[offset] as number);
      if (unit === depends) {
        this.set(foldForComparison(text.slice(start, end)));
        return;
      }
      if (unit === separator) isApart = length > 0;
      else {
        if (isApart) units[length++] = space;
        isApart = false;
        units[length++] = unit;
      }
    }
    this.length = length;
  }

  private set(folded: string): void {
    this.units = growArray(this.units, folded.length);
    for (let offset = 0; offset < folded.length; offset++) this.units[offset] = folded.charCodeAt(offset);
    this.length = folded.length;
  }

  /** Whether another line begins with this one. */
  begins(other: FoldedLine): boolean {
    if (this.length > other.length) return false;
    for (let index = 0; index < this.length; index++)
      if (this.units[index] !== other.units[index]) return false;
    return true;
  }
}

/** A set of folded lines. */
export class FoldedLineSet {
  /** By key, whether a line has it. */
  private readonly keys = new Uint8Array(1 << keyBits);
  private readonly lines = new Set<string>();

  clear(): void {
    this.keys.fill(0);
    this.lines.clear();
  }

  add(line: FoldedLine): void {
    this.keys[keyOf(line)] = 1;
    this.lines.add(stringOf(line));
  }

  has(line: FoldedLine): boolean {
    return this.keys[keyOf(line)] === 1 && this.lines.has(stringOf(line));
  }
}

const keyBits = 9;

/** Most lines that differ have different keys. */
function keyOf({ units, length }: FoldedLine): number {
  const first = units[0] as number;
  const last = units[Math.max(0, length - 1)] as number;
  return Math.imul((length << 16) ^ (first << 8) ^ last, 0x9e3779b1) >>> (32 - keyBits);
}

function stringOf({ units, length }: FoldedLine): string {
  return Buffer.from(units.buffer, 0, 2 * length).toString('utf16le');
}
