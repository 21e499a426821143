import { codePageOfCharset, decodeCodePage } from '../code-page.ts';
import type { Properties } from '../properties.ts';
import { RefusedDocument } from '../refused.ts';
import type { StructuredText } from '../structured-text.ts';
import { type Destination, destinationOf } from './rtf-destinations.ts';
import { createRtfInformation } from './rtf-information.ts';
import { createRtfParagraphs } from './rtf-paragraphs.ts';
import { createRtfStyles } from './rtf-styles.ts';

export interface RtfWriter {
  open(): void;
  close(): void;
  word(name: string, value: number | undefined): void;
  symbol(sign: string): void;
  byte(value: number): void;
  text(run: string): void;
  /** Ends the last paragraph and returns the properties in the information group. */
  finish(): Properties;
}

interface Group {
  destination: Destination;
  isHidden: boolean;
  font: number;
  /** Characters after a \u that stand for it in programs without Unicode. */
  fallback: number;
}

const maxDepth = 2000;
const maxFallback = 16;
const characters: Readonly<Record<string, string>> = {
  tab: ' ',
  line: '\n',
  lbr: '\n',
  emdash: '—',
  endash: '–',
  emspace: ' ',
  enspace: ' ',
  qmspace: ' ',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
};

/** Follows the groups of RTF and writes the text that is shown. */
export function createRtfWriter(out: StructuredText): RtfWriter {
  const groups: Group[] = [{ destination: 'body', isHidden: false, font: 0, fallback: 1 }];
  const paragraphs = createRtfParagraphs(out);
  const styles = createRtfStyles();
  const information = createRtfInformation();
  const group = (): Group => groups.at(-1) as Group;
  const put = (run: string): void => {
    const { destination, isHidden } = group();
    if (destination === 'body' && !isHidden) paragraphs.append(run);
    else if (destination === 'title' || destination === 'author' || destination === 'subject')
      information.append(destination, run);
    else if (destination === 'styles') styles.appendName(run);
  };
  const encoded = createEncodedText(group, put);
  let isOptional = false;
  /** Nothing of the group was read yet: `\*` means something only here (RTF 1.9.1, "Destinations"). */
  let isGroupStart = false;
  /** Fallback characters of a \u that are still to come. */
  let toSkip = 0;

  const endGroupState = (): void => {
    isOptional = false;
    isGroupStart = false;
    toSkip = 0;
  };
  const setFormat = (name: string, value: number | undefined): boolean => {
    const current = group();
    if (name === 'plain') current.isHidden = false;
    else if (name === 'v') current.isHidden = value !== 0;
    else if (name === 'uc') current.fallback = Math.max(0, Math.min(value ?? 1, maxFallback));
    else return encoded.set(name, value);
    return true;
  };
  const setStyle = (name: string, value: number): boolean => {
    const inStyles = group().destination === 'styles';
    if (name === 's' && inStyles) styles.setNumber(value);
    else if (name === 's') paragraphs.setHeading(styles.isHeading(value));
    else if (name === 'outlinelevel' && inStyles) styles.setHeading(value < 9);
    else if (name === 'outlinelevel') paragraphs.setHeading(value < 9);
    else return false;
    return true;
  };
  const setDate = (name: string, value: number): boolean => {
    const { destination } = group();
    if (destination !== 'created' && destination !== 'revised') return false;
    return information.setDatePart(destination, name, value);
  };
  const setOther = (name: string, value: number): boolean =>
    setStyle(name, value) || paragraphs.set(name, value) || setDate(name, value);
  const breakText = (name: string): boolean => {
    if (group().destination !== 'body') return false;
    if (name === 'par' || name === 'sect' || name === 'page') paragraphs.endParagraph();
    else if (name === 'cell' || name === 'nestcell') paragraphs.endCell();
    else if (name === 'row' || name === 'nestrow') paragraphs.endRow();
    else return false;
    return true;
  };

  return {
    open() {
      encoded.flush();
      if (groups.length > maxDepth) throw new RefusedDocument('damaged file');
      groups.push({ ...group() });
      if (group().destination === 'styles') styles.begin();
      endGroupState();
      isGroupStart = true;
    },
    close() {
      encoded.flush();
      const { destination } = group();
      if (destination === 'styles') styles.end();
      if (groups.length > 1) groups.pop();
      if (destination === 'bullet' && group().destination === 'body') paragraphs.markItem();
      if (destination === 'styles') styles.begin();
      endGroupState();
    },
    word(name, value) {
      isGroupStart = false;
      encoded.flush();
      if (name === 'u' && value !== undefined) {
        put(String.fromCharCode(value < 0 ? value + 65536 : value));
        toSkip = group().fallback;
        return;
      }
      const current = group();
      const destination = destinationOf(name, { current: current.destination, isOptional });
      if (destination !== undefined) current.destination = destination;
      else if (name === 'footnote' && current.destination === 'body') put(' ');
      else if (characters[name] !== undefined) put(characters[name]);
      else if (!breakText(name) && !setFormat(name, value)) setOther(name, value ?? 0);
      isOptional = false;
    },
    symbol(sign) {
      if (sign === '*') isOptional = isGroupStart;
      else if (toSkip > 0) toSkip--;
      else {
        encoded.flush();
        if (sign === '\\' || sign === '{' || sign === '}') put(sign);
        else if (sign === '~') put('\u00a0');
        else if (sign === '_') put('-');
        else if ((sign === '\n' || sign === '\r') && group().destination === 'body')
          paragraphs.endParagraph();
      }
    },
    byte(value) {
      isGroupStart = false;
      if (toSkip > 0) toSkip--;
      else encoded.byte(value);
    },
    text(run) {
      isGroupStart = false;
      const shown = run.slice(toSkip);
      toSkip = Math.max(0, toSkip - run.length);
      if (shown !== '') encoded.text(shown);
    },
    finish() {
      encoded.flush();
      paragraphs.endParagraph();
      paragraphs.endRow();
      return information.properties();
    },
  };
}

/** Collects the bytes of a run and decodes them by the code page of the group's font, or of the document. */
function createEncodedText(group: () => Group, put: (run: string) => void) {
  const fontPages = new Map<number, number>();
  let codePage = 1252;
  let pending: number[] = [];
  return {
    flush(): void {
      if (pending.length === 0) return;
      const bytes = Uint8Array.from(pending);
      pending = [];
      put(decodeCodePage(bytes, fontPages.get(group().font) ?? codePage));
    },
    byte: (value: number): void => void pending.push(value),
    text(run: string): void {
      // The second byte of a double-byte character may be written as plain text.
      if (pending.length > 0 || /[\x80-\xff]/.test(run))
        for (const character of run) pending.push(character.charCodeAt(0));
      else put(run);
    },
    /** Sets a font or a code page; false for a control word that does neither. */
    set(name: string, value: number | undefined): boolean {
      const current = group();
      const isInFonts = current.destination === 'fonts';
      if (name === 'f') {
        if (isInFonts || value !== undefined) current.font = value ?? 0;
      } else if (name === 'fcharset') {
        const page = codePageOfCharset(value ?? 0);
        if (isInFonts && page !== undefined) fontPages.set(current.font, page);
      } else if (name === 'ansicpg') codePage = value && value > 0 ? value : codePage;
      else if (name === 'mac') codePage = macRoman;
      else return false;
      return true;
    },
  };
}

/** Windows' number for the code page of the classic Macintosh. */
const macRoman = 10000;
