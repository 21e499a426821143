import { maxTermLength } from '../../../../text/tokenizer.ts';
import { undividedNames } from '../../../../text/undivided-names.ts';
import type { ChunkMemo } from './chunk-memo.ts';
import type { TermTable } from './term-table.ts';

/** What a character of a word is; 0 for one that leaves the word to `wordTerms`. */
const small = 1;
const digit = 2;
const capital = 4;
const connector = 8;
const dot = 0x2e;

const kinds = createKinds();

/**
 * The terms of new words of ASCII letters and digits with simple connectors (`fs.readFile`, `page_count`), as `wordTerms`
 * has them, without strings. What has rules of its own is left to `wordTerms`: dotted numbers, initials, names with a dot in front.
 */
export class AsciiWords {
  private readonly table: TermTable;
  private readonly memo: ChunkMemo;
  private starts: number[] = [];
  private ends: number[] = [];

  constructor(table: TermTable, memo: ChunkMemo) {
    this.table = table;
    this.memo = memo;
  }

  /** Puts the terms of a word into the memo's next list; false, and none, if the word is not one of these. */
  list(units: Uint16Array, start: number, end: number): boolean {
    if (!this.split(units, start, end)) return false;
    const { starts, ends } = this;
    const last = ends.length - 1;
    const add = (from: number, to: number): void =>
      this.memo.push(this.table.numberOfAscii(units, from, to), from - start, to - start);
    const addJoined = (from: number, to: number): void => {
      if (to - from <= maxTermLength) add(from, to);
    };
    if (last > 1) addJoined(start, ends[last] as number);
    for (let piece = 0; piece <= last; piece++) {
      const from = starts[piece] as number;
      const to = ends[piece] as number;
      if (piece < last) addJoined(from, ends[piece + 1] as number);
      this.memo.push(
        this.table.numberOfAscii(units, from, Math.min(to, from + maxTermLength)),
        from - start,
        to - start,
      );
      this.addHumps(units, start, from, to);
    }
    return true;
  }

  /** Finds the pieces of a word; false if the word is not one of these. */
  private split(units: Uint16Array, start: number, end: number): boolean {
    this.starts.length = 0;
    this.ends.length = 0;
    let before = connector;
    for (let offset = start; offset < end; offset++) {
      const kind = kinds[units[offset] as number] as number;
      if (kind === 0) return false;
      if (kind === connector) {
        if (before !== connector) this.ends.push(offset);
        if (units[offset] === dot && before !== small) {
          // Perhaps a name with a dot in front, a dotted number or initials.
          if (before !== digit) return false;
          if (kinds[units[offset + 1] as number] === digit) return false;
        }
      } else if (before === connector) this.starts.push(offset);
      before = kind;
    }
    if (before !== connector) this.ends.push(end);
    return this.starts.length > 0;
  }

  /** Adds the parts of a piece that begin with capitals. */
  private addHumps(units: Uint16Array, start: number, from: number, to: number): void {
    let part = from;
    let isDivided = false;
    for (let offset = from + 1; offset <= to; offset++) {
      if (offset < to && !isHump(units, offset, to)) continue;
      if (offset === to && !isDivided) return;
      if (!isDivided) {
        if (offset - from === 1 || isUndivided(units, from, to)) return;
        isDivided = true;
      }
      if (offset - part > 1)
        this.memo.push(
          this.table.numberOfAscii(units, part, Math.min(offset, part + maxTermLength)),
          part - start,
          offset - start,
        );
      part = offset;
    }
  }
}

/** Whether a part begins at an offset of a piece: after a small letter or a digit, or as in `HTTPServer`. */
function isHump(units: Uint16Array, offset: number, end: number): boolean {
  if (kinds[units[offset] as number] !== capital) return false;
  if (kinds[units[offset - 1] as number] !== capital) return true;
  return (
    offset + 2 < end &&
    kinds[units[offset + 1] as number] === small &&
    kinds[units[offset + 2] as number] === small
  );
}

function isUndivided(units: Uint16Array, start: number, end: number): boolean {
  return undividedNames.has(String.fromCharCode(...units.subarray(start, end)).toLowerCase());
}

function createKinds(): Uint8Array {
  const created = new Uint8Array(0x10000);
  const fill = (characters: string, kind: number): void => {
    for (const character of characters) created[character.charCodeAt(0)] = kind;
  };
  fill('abcdefghijklmnopqrstuvwxyz', small);
  fill('ABCDEFGHIJKLMNOPQRSTUVWXYZ', capital);
  fill('0123456789', digit);
  fill('._-/:@', connector);
  return created;
}
