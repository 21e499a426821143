import { endianness } from 'node:os';
import * as is from './characters.ts';

/** Maximum length of a whole term, in UTF-16 units. Longer ones are cut, and no compound continues past it. */
export const maxTermLength = 64;

/**
 * The kinds of chunks. `plain` is a word of lower-case ASCII letters and digits, which is its own term; `compound` is
 * any other word, with the connectors inside it (`fs.readFile`, `C++`, `.NET`). The terms of a chunk depend on it alone.
 */
export type ChunkKind = 'plain' | 'compound' | 'cjk' | 'spaceless' | 'symbol';
export type VisitChunk = (kind: ChunkKind, start: number, end: number) => void;
/** Takes the word that begins at an offset, and returns its end; 0 if it leaves the word to `tokenize`. */
export type TakeWord = (start: number) => number;

const plus = 0x2b;
const comma = 0x2c;
const dot = 0x2e;
const colon = 0x3a;
const underscore = 0x5f;
const numberSign = 0x23;
const ampersand = 0x26;
const apostrophe = 0x27;
const rightQuote = 0x2019;

/** How many units past an offset the tokenizer reads at most. */
const lookAhead = 4;

/** The UTF-16 units of a text, followed by zeros. Reading them one by one is faster than reading the text. */
function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length + lookAhead);
  fillUnits(units, text);
  return units;
}

/** As `unitsOf`, for one text after the other in the same memory: each call overwrites the units of the one before. */
export function createUnitsOf(): (text: string) => Uint16Array {
  let units = new Uint16Array(1 << 14);
  return (text) => {
    if (units.length < text.length + lookAhead) units = new Uint16Array(2 * text.length + lookAhead);
    fillUnits(units, text);
    units.fill(0, text.length, text.length + lookAhead);
    return units;
  };
}

/** Up to this length, copying unit by unit is faster than creating a view for one copy. */
const shortText = 100;

function fillUnits(units: Uint16Array, text: string): void {
  if (text.length <= shortText) {
    for (let offset = 0; offset < text.length; offset++) units[offset] = text.charCodeAt(offset);
    return;
  }
  const bytes = Buffer.from(units.buffer, 0, 2 * text.length);
  bytes.write(text, 'utf16le');
  if (endianness() === 'BE') bytes.swap16();
}

/**
 * Whether a word whose letters and digits reach up to `offset` surely ends there: a separator follows, or one connector and
 * then a separator. If false, the word may end there or go on.
 */
export function surelyEndsAt(units: Uint16Array, offset: number): boolean {
  const kinds = is.characterKinds();
  const unit = units[offset] as number;
  const kind = kinds[unit] as number;
  if (kind === is.separator) return true;
  if (kind !== is.connector || unit === plus || unit === numberSign) return false;
  return kinds[units[offset + 1] as number] === is.separator;
}

/**
 * Splits a text that is in `normalizeForm` into chunks, in one pass; separators are not visited. `takeWord` is asked
 * first for each word. It may take those that `surelyEndsAt` their end, and `visit` is not called for them.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: eleven functions in one closure for speed: each text goes through it
export function tokenize(text: string, visit: VisitChunk, units = unitsOf(text), takeWord?: TakeWord): void {
  const kinds = is.characterKinds();
  const wordUnits = is.wordUnits();
  const { length } = text;

  function unitAt(offset: number): number {
    return units[offset] as number;
  }

  function codePointAt(offset: number): number {
    return text.codePointAt(offset) ?? 0;
  }

  function kindAt(offset: number): number {
    const kind = offset < length ? (kinds[unitAt(offset)] as number) : is.separator;
    return kind === is.surrogate ? is.supplementaryKind(String.fromCodePoint(codePointAt(offset))) : kind;
  }

  function widthAt(offset: number): number {
    return kinds[unitAt(offset)] === is.surrogate && codePointAt(offset) > 0xffff ? 2 : 1;
  }

  function isLetter(offset: number): boolean {
    const kind = kindAt(offset);
    return kind === is.lowerLetter || kind === is.upperLetter;
  }

  function isWordCharacter(offset: number): boolean {
    return isLetter(offset) || kindAt(offset) === is.digit;
  }

  /** `1,000` but not `1,2` and not `2019,1000`. */
  function isThousands(offset: number): boolean {
    const digits = [offset - 1, offset + 1, offset + 2, offset + 3];
    return digits.every((digit) => kindAt(digit) === is.digit) && kindAt(offset + 4) !== is.digit;
  }

  /** How many units of the connector at `offset` belong to the word that begins at `start`; 0 ends the word. */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a case for each connector: C++, 1,000, AT&T
  function connectorLength(start: number, offset: number): number {
    const code = unitAt(offset);
    if (code === plus) {
      if (unitAt(offset + 1) !== plus || unitAt(offset + 2) === plus) return 0;
      return isLetter(offset - 1) && !isLetter(offset + 2) ? 2 : 0;
    }
    if (code === numberSign) {
      const single = isLetter(offset - 1) && (offset - 1 === start || !isWordCharacter(offset - 2));
      return single && !isWordCharacter(offset + 1) ? 1 : 0;
    }
    if (offset - start >= maxTermLength) return 0;
    if (code === colon) return unitAt(offset + 1) === colon && isWordCharacter(offset + 2) ? 2 : 0;
    if (!isWordCharacter(offset + 1)) {
      if (code !== underscore) return 0;
      let next = offset + 1;
      while (next - start < maxTermLength && unitAt(next) === underscore) next++;
      return isWordCharacter(next) ? next - offset : 0;
    }
    if (code === comma) return isThousands(offset) ? 1 : 0;
    if (code === apostrophe || code === rightQuote)
      return isLetter(offset - 1) && isLetter(offset + 1) ? 1 : 0;
    if (code === ampersand) {
      return kindAt(offset - 1) === is.upperLetter && kindAt(offset + 1) === is.upperLetter ? 1 : 0;
    }
    return 1;
  }

  /** The end of the word that begins at `start` and may continue at `from`. */
  function wordEnd(start: number, from: number): number {
    let offset = from;
    while (offset < length) {
      const kind = kinds[unitAt(offset)] as number;
      if (kind === is.lowerLetter || kind === is.upperLetter || kind === is.digit || kind === is.mark) {
        offset++;
      } else if (kind === is.connector) {
        const width = connectorLength(start, offset);
        if (width === 0) break;
        offset += width;
      } else if (kind === is.surrogate && (isWordCharacter(offset) || kindAt(offset) === is.mark)) {
        offset += 2;
      } else break;
    }
    return offset;
  }

  /** The end of a run of one kind; marks stay with the character before them. */
  function runEnd(start: number, runKind: number): number {
    let offset = start;
    while (offset < length) {
      const kind = kinds[unitAt(offset)] as number;
      if (kind === runKind || kind === is.mark) offset++;
      else if (kind === is.surrogate && kindAt(offset) === runKind) offset += 2;
      else break;
    }
    return offset;
  }

  function isFlagHalf(offset: number): boolean {
    const code = codePointAt(offset);
    return code >= 0x1f1e6 && code <= 0x1f1ff;
  }

  /** A dot that begins a name: `.NET`, `.gitignore`, but not the last of `...and`. */
  function beginsName(offset: number): boolean {
    if (unitAt(offset) !== dot || !isLetter(offset + 1)) return false;
    return offset === 0 || !(isWordCharacter(offset - 1) || unitAt(offset - 1) === dot);
  }

  for (let offset = 0; offset < length; ) {
    const unit = kinds[units[offset] as number] as number;
    if (unit === is.separator) {
      offset++;
      continue;
    }
    if (unit <= is.digit) {
      const taken = takeWord === undefined ? 0 : takeWord(offset);
      if (taken > 0) {
        offset = taken;
        continue;
      }
      let end = offset;
      let unitClasses = 0;
      let unitClass = wordUnits[units[end] as number] as number;
      do {
        unitClasses |= unitClass;
        unitClass = wordUnits[units[++end] as number] as number;
      } while (unitClass !== is.noWord);
      if (!surelyEndsAt(units, end)) {
        const longer = wordEnd(offset, end);
        if (longer > end) unitClasses = is.notPlain;
        end = longer;
      }
      const isPlain = unitClasses === is.plain && end - offset <= maxTermLength;
      visit(isPlain ? 'plain' : 'compound', offset, end);
      offset = end;
      continue;
    }
    const kind = unit === is.surrogate ? kindAt(offset) : unit;
    let end = offset + widthAt(offset);
    if (kind === is.lowerLetter || kind === is.upperLetter || kind === is.digit) {
      end = wordEnd(offset, end);
      visit('compound', offset, end);
    } else if (kind === is.cjkCharacter) {
      end = runEnd(offset, kind);
      visit('cjk', offset, end);
    } else if (kind === is.spacelessLetter) {
      end = runEnd(offset, kind);
      visit('spaceless', offset, end);
    } else if (kind === is.symbol) {
      if (isFlagHalf(offset) && isFlagHalf(end)) end += widthAt(end);
      visit('symbol', offset, end);
    } else if (kind === is.connector && beginsName(offset)) {
      end = wordEnd(offset + 1, offset + 1);
      visit('compound', offset, end);
    }
    offset = end;
  }
}
