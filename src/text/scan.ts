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

/** Cuts a text that is in `normalizeForm` into chunks, in one pass; separators are not visited. */
export function scan(text: string, visit: VisitChunk): void {
  const kinds = is.characterKinds();
  const { length } = text;

  function kindAt(place: number): number {
    const kind = place < length ? (kinds[text.charCodeAt(place)] as number) : is.separator;
    return kind === is.surrogate
      ? is.supplementaryKind(String.fromCodePoint(text.codePointAt(place) ?? 0))
      : kind;
  }

  function widthAt(place: number): number {
    return kinds[text.charCodeAt(place)] === is.surrogate && (text.codePointAt(place) ?? 0) > 0xffff ? 2 : 1;
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
    const code = text.charCodeAt(place);
    if (code === plus) {
      if (text.charCodeAt(place + 1) !== plus || text.charCodeAt(place + 2) === plus) return 0;
      return isLetter(place - 1) && !isLetter(place + 2) ? 2 : 0;
    }
    if (code === numberSign) {
      const single = isLetter(place - 1) && (place - 1 === start || !isWordCharacter(place - 2));
      return single && !isWordCharacter(place + 1) ? 1 : 0;
    }
    if (place - start >= maxTermLength) return 0;
    if (code === colon) return text.charCodeAt(place + 1) === colon && isWordCharacter(place + 2) ? 2 : 0;
    if (!isWordCharacter(place + 1)) {
      if (code !== underscore) return 0;
      let next = place + 1;
      while (next - start < maxTermLength && text.charCodeAt(next) === underscore) next++;
      return isWordCharacter(next) ? next - place : 0;
    }
    if (code === comma) return isThousands(place) ? 1 : 0;
    if (code === apostrophe || code === rightQuote) return isLetter(place - 1) && isLetter(place + 1) ? 1 : 0;
    if (code === ampersand) {
      return kindAt(place - 1) === is.upperLetter && kindAt(place + 1) === is.upperLetter ? 1 : 0;
    }
    return 1;
  }

  function wordEnd(start: number): { end: number; plain: boolean } {
    let plain = true;
    let place = start;
    while (place < length) {
      const code = text.charCodeAt(place);
      const kind = kinds[code] as number;
      if (kind === is.lowerLetter || kind === is.digit) {
        if (code > 0x7f) plain = false;
        place++;
      } else if (kind === is.upperLetter || kind === is.mark) {
        plain = false;
        place++;
      } else if (kind === is.connector) {
        const taken = connectorLength(start, place);
        if (taken === 0) break;
        plain = false;
        place += taken;
      } else if (kind === is.surrogate && (isWordCharacter(place) || kindAt(place) === is.mark)) {
        plain = false;
        place += 2;
      } else break;
    }
    return { end: place, plain };
  }

  /** The end of a run of one kind; marks stay with the character before them. */
  function runEnd(start: number, wanted: number): number {
    let place = start;
    while (place < length) {
      const kind = kinds[text.charCodeAt(place)] as number;
      if (kind === wanted || kind === is.mark) place++;
      else if (kind === is.surrogate && kindAt(place) === wanted) place += 2;
      else break;
    }
    return place;
  }

  function isFlagHalf(place: number): boolean {
    const code = text.codePointAt(place) ?? 0;
    return code >= 0x1f1e6 && code <= 0x1f1ff;
  }

  /** A dot that begins a name: `.NET`, `.gitignore`, but not the last of `...and`. */
  function beginsName(place: number): boolean {
    if (text.charCodeAt(place) !== dot || !isLetter(place + 1)) return false;
    return place === 0 || !(isWordCharacter(place - 1) || text.charCodeAt(place - 1) === dot);
  }

  for (let place = 0; place < length; ) {
    const kind = kindAt(place);
    let end = place + widthAt(place);
    if (kind === is.lowerLetter || kind === is.upperLetter || kind === is.digit) {
      const word = wordEnd(place);
      end = word.end;
      visit(word.plain && end - place <= maxTermLength ? 'plain' : 'compound', place, end);
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
      end = wordEnd(place + 1).end;
      visit('compound', place, end);
    }
    place = end;
  }
}
