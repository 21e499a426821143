import { normalizeForm } from './fold.ts';

/** The normal form of a text, in which it is tokenized, with the mapping of its offsets to the original text. */
export interface NormalForm {
  readonly text: string;
  /** The start offset in the original text for a start offset in the normal form. */
  startOf(offset: number): number;
  /** The end offset in the original text for an end offset in the normal form. */
  endOf(offset: number): number;
}

/** A stretch whose normal form has another length or other borders: its offsets in the text and in the normal form. */
interface Change {
  readonly start: number;
  readonly end: number;
  readonly formStart: number;
  readonly formEnd: number;
}

/** A character with everything that NFKC may join to it: marks, half-width voicing signs, conjoining jamo. */
// biome-ignore lint/suspicious/noMisleadingCharacterClass: each code point is listed on its own
const cluster = /[^\p{M}]?[\p{M}\uff9e\uff9f\u1160-\u11ff\uffa0-\uffdc\u200d\ufe0f]*/suy;
const joins = /[\p{M}\uff9e\uff9f\u1160-\u11ff\uffa0-\uffdc]/u;

/** By UTF-16 unit: 0 not checked yet, 1 the normal form is one unit and joins nothing, 2 otherwise. */
const effects = new Uint8Array(0x10000).fill(1, 0, 0x80);

function staysOneUnit(code: number): boolean {
  if (effects[code] === 0) {
    const unit = String.fromCharCode(code);
    const wide = code >= 0xd800 && code < 0xe000;
    effects[code] = wide || joins.test(unit) || normalizeForm(unit).length !== 1 ? 2 : 1;
  }
  return effects[code] === 1;
}

/** By unit beyond ASCII: 0 not checked yet, 1 it never changes, whatever is around it, 2 it may change. */
const stays = new Uint8Array(0x10000);
const joinsOrIsHalf = /[\p{M}\p{Cs}\u1100-\u11ff]/u;

/** Whether a unit is its own normal form, whatever is around it. Halves of characters are not. */
export function staysAsItIs(unit: number): boolean {
  if (stays[unit] === 0) {
    const character = String.fromCharCode(unit);
    stays[unit] = joinsOrIsHalf.test(character) || normalizeForm(character) !== character ? 2 : 1;
  }
  return stays[unit] === 1;
}

/**
 * Whether a text is already in normal form, without marks and without characters beyond the basic plane. Most texts are.
 * `units` are its UTF-16 units.
 */
export function isPlainForm(units: Uint16Array, length: number): boolean {
  for (let offset = 0; offset < length; offset++) {
    const unit = units[offset] as number;
    if (unit > 0x7f && stays[unit] !== 1 && !staysAsItIs(unit)) return false;
  }
  return true;
}

const beyondAscii = /[^\0-\x7f]/g;

const unchanged = (offset: number) => offset;

function findChanges(text: string): Change[] {
  const changes: Change[] = [];
  /** Length of the form minus length of the text, up to here. */
  let longer = 0;
  for (let offset = 0; offset < text.length; ) {
    const code = text.charCodeAt(offset);
    const next = text.charCodeAt(offset + 1) || 0;
    if ((code | next) < 0x80) {
      beyondAscii.lastIndex = offset + 2;
      offset = (beyondAscii.exec(text)?.index ?? text.length + 1) - 1;
      continue;
    }
    if (staysOneUnit(code) && staysOneUnit(next)) {
      offset++;
      continue;
    }
    cluster.lastIndex = offset;
    const written = cluster.exec(text)?.[0] || text.charAt(offset);
    const end = offset + written.length;
    const own = normalizeForm(written);
    if (own !== written && (own.length !== 1 || written.length !== 1)) {
      const formStart = offset + longer;
      changes.push({ start: offset, end, formStart, formEnd: formStart + own.length });
      longer += own.length - written.length;
    }
    offset = end;
  }
  return changes;
}

/**
 * The normal form of a text with the mapping back to its offsets. Linear in the length; each mapping of an offset near
 * the one before takes constant time.
 */
export function alignNormalForm(text: string, form = normalizeForm(text)): NormalForm {
  const changes = form === text ? [] : findChanges(text);
  if (changes.length === 0) return { text: form, startOf: unchanged, endOf: unchanged };
  let next = 0;

  /** The last change whose form begins before `offset`. */
  function changeBefore(offset: number): Change | undefined {
    while (next < changes.length && (changes[next] as Change).formStart < offset) next++;
    while (next > 0 && (changes[next - 1] as Change).formStart >= offset) next--;
    return changes[next - 1];
  }

  return {
    text: form,
    startOf(offset) {
      const change = changeBefore(offset + 1);
      if (!change) return offset;
      return offset < change.formEnd ? change.start : change.end + offset - change.formEnd;
    },
    endOf(offset) {
      const change = changeBefore(offset);
      if (!change) return offset;
      return offset <= change.formEnd ? change.end : change.end + offset - change.formEnd;
    },
  };
}
