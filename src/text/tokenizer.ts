import { endianness } from 'node:os';
import * as is from './characters.ts';

/** Whole terms are no longer than this, in UTF-16 units; what is longer is cut, and no compound goes on past it. */
export const maxTermLength = 64;

/**
 * A stretch of text that is analysed by itself. `plain` is a word of lower-case ASCII letters and digits, which
 * is its own term; `compound` any other word, with the connectors inside it (`fs.readFile`, `C++`, `.NET`).
 */
export type ChunkKind = 'plain' | 'compound' | 'cjk' | 'spaceless' | 'symbol';
export type VisitChunk = (kind: ChunkKind, start: number, end: number) => void;

const plus = 0x2b;
const comma = 0x2c;
const dot = 0x2e;
const colon = 0x3a;
const underscore = 0x5f;
const numberSign = 0x23;
const ampersand = 0x26;
const apostrophe = 0x27;
const rightQuote = 0x2019;

/** The scanner looks at so many characters past a place at most. */
const lookAhead = 4;

/** The UTF-16 units of a text, which are quicker to read one by one than the text is; zeros follow them. */
export function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length + lookAhead);
  fillUnits(units, text);
  return units;
}

/** `unitsOf` one text after the other, in the same memory: what it gives is good until it is called again. */
export function createUnitsOf(): (text: string) => Uint16Array {
  let units = new Uint16Array(1 << 14);
  return (text) => {
    if (units.length < text.length + lookAhead) units = new Uint16Array(2 * text.length + lookAhead);
    fillUnits(units, text);
    units.fill(0, text.length, text.length + lookAhead);
    return units;
  };
}

/** Up to here a copy unit by unit is quicker than a view for a copy at once. */
const shortText = 100;

function fillUnits(units: Uint16Array, text: string): void {
  if (text.length <= shortText) {
    for (let place = 0; place < text.length; place++) units[place] = text.charCodeAt(place);
    return;
  }
  const bytes = Buffer.from(units.buffer, 0, 2 * text.length);
  bytes.write(text, 'utf16le');
  if (endianness() === 'BE') bytes.swap16();
}

/** Cuts a text that is in `normalizeForm` into chunks, in one pass; separators are not visited. */
export function scan(text: string, visit: VisitChunk, units = unitsOf(text)): void {
  const kinds = is.characterKinds();
  const wordUnits = is.wordUnits();
  const { length } = text;

  function unitAt(place: number): number {
    return units[place] as number;
  }

  function codePointAt(place: number): number {
    return text.codePointAt(place) ?? 0;
  }

  function kindAt(place: number): number {
    const kind = place < length ? (kinds[unitAt(place)] as number) : is.separator;
    return kind === is.surrogate ? is.supplementaryKind(String.fromCodePoint(codePointAt(place))) : kind;
  }

  function widthAt(place: number): number {
    return kinds[unitAt(place)] === is.surrogate && codePointAt(place) > 0xffff ? 2 : 1;
  }

  function isLetter(place: number): boolean {
    const kind = kindAt(place);
    return kind === is.lowerLetter || kind === is.upperLetter;
  }

  function isWordCharacter(place: number): boolean {
    return isLetter(place) || kindAt(place) === is.digit;
  }

  /** `1,000` but not `1,2` and not `2019,1000`. */
  function isThousands(place: number): boolean {
    const digits = [place - 1, place + 1, place + 2, place + 3];
    return digits.every((place) => kindAt(place) === is.digit) && kindAt(place + 4) !== is.digit;
  }

  /** How many characters of connector at `place` belong to the word that began at `start`; 0 ends the word. */
  function connectorLength(start: number, place: number): number {
    const code = unitAt(place);
    if (code === plus) {
      if (unitAt(place + 1) !== plus || unitAt(place + 2) === plus) return 0;
      return isLetter(place - 1) && !isLetter(place + 2) ? 2 : 0;
    }
    if (code === numberSign) {
      const single = isLetter(place - 1) && (place - 1 === start || !isWordCharacter(place - 2));
      return single && !isWordCharacter(place + 1) ? 1 : 0;
    }
    if (place - start >= maxTermLength) return 0;
    if (code === colon) return unitAt(place + 1) === colon && isWordCharacter(place + 2) ? 2 : 0;
    if (!isWordCharacter(place + 1)) {
      if (code !== underscore) return 0;
      let next = place + 1;
      while (next - start < maxTermLength && unitAt(next) === underscore) next++;
      return isWordCharacter(next) ? next - place : 0;
    }
    if (code === comma) return isThousands(place) ? 1 : 0;
    if (code === apostrophe || code === rightQuote) return isLetter(place - 1) && isLetter(place + 1) ? 1 : 0;
    if (code === ampersand) {
      return kindAt(place - 1) === is.upperLetter && kindAt(place + 1) === is.upperLetter ? 1 : 0;
    }
    return 1;
  }

  /** The end of the word that began at `start` and goes on, if it does, at `from`. */
  function wordEnd(start: number, from: number): number {
    let place = from;
    while (place < length) {
      const kind = kinds[unitAt(place)] as number;
      if (kind === is.lowerLetter || kind === is.upperLetter || kind === is.digit || kind === is.mark) {
        place++;
      } else if (kind === is.connector) {
        const taken = connectorLength(start, place);
        if (taken === 0) break;
        place += taken;
      } else if (kind === is.surrogate && (isWordCharacter(place) || kindAt(place) === is.mark)) {
        place += 2;
      } else break;
    }
    return place;
  }

  /** The end of a run of one kind; marks stay with the character before them. */
  function runEnd(start: number, wanted: number): number {
    let place = start;
    while (place < length) {
      const kind = kinds[unitAt(place)] as number;
      if (kind === wanted || kind === is.mark) place++;
      else if (kind === is.surrogate && kindAt(place) === wanted) place += 2;
      else break;
    }
    return place;
  }

  function isFlagHalf(place: number): boolean {
    const code = codePointAt(place);
    return code >= 0x1f1e6 && code <= 0x1f1ff;
  }

  /** A dot that begins a name: `.NET`, `.gitignore`, but not the last of `...and`. */
  function beginsName(place: number): boolean {
    if (unitAt(place) !== dot || !isLetter(place + 1)) return false;
    return place === 0 || !(isWordCharacter(place - 1) || unitAt(place - 1) === dot);
  }

  for (let place = 0; place < length; ) {
    const unit = kinds[units[place] as number] as number;
    if (unit === is.separator) {
      place++;
      continue;
    }
    if (unit <= is.digit) {
      let end = place;
      let others = 0;
      let what = wordUnits[units[end] as number] as number;
      do {
        others |= what;
        what = wordUnits[units[++end] as number] as number;
      } while (what !== is.noWord);
      // Most words end with a separator; what follows any other may belong to them.
      if (kinds[units[end] as number] !== is.separator) {
        const longer = wordEnd(place, end);
        if (longer > end) others = is.notPlain;
        end = longer;
      }
      const isPlain = others === is.plain && end - place <= maxTermLength;
      visit(isPlain ? 'plain' : 'compound', place, end);
      place = end;
      continue;
    }
    const kind = unit === is.surrogate ? kindAt(place) : unit;
    let end = place + widthAt(place);
    if (kind === is.lowerLetter || kind === is.upperLetter || kind === is.digit) {
      end = wordEnd(place, end);
      visit('compound', place, end);
    } else if (kind === is.cjkCharacter) {
      end = runEnd(place, kind);
      visit('cjk', place, end);
    } else if (kind === is.spacelessLetter) {
      end = runEnd(place, kind);
      visit('spaceless', place, end);
    } else if (kind === is.symbol) {
      if (isFlagHalf(place) && isFlagHalf(end)) end += widthAt(end);
      visit('symbol', place, end);
    } else if (kind === is.connector && beginsName(place)) {
      end = wordEnd(place + 1, place + 1);
      visit('compound', place, end);
    }
    place = end;
  }
}
