import { codePageOfCharset, decodeCodePage } from './code-page.ts';
import type { Properties } from './properties.ts';
import { Refused } from './refused.ts';
import type { StructuredText } from './structured-text.ts';

export interface RtfWriter {
  open(): void;
  close(): void;
  word(name: string, value: number | undefined): void;
  symbol(sign: string): void;
  byte(value: number): void;
  text(run: string): void;
  /** Ends the last paragraph and gives what the information group said. */
  finish(): Properties;
}

/** Where the text of a group goes. */
type Destination =
  | 'body'
  | 'nowhere'
  | 'fonts'
  | 'styles'
  | 'bullet'
  | 'information'
  | 'title'
  | 'author'
  | 'subject'
  | 'created'
  | 'revised';

interface Group {
  destination: Destination;
  isHidden: boolean;
  font: number;
  /** Characters after a \u that stand for it in programs without Unicode. */
  fallback: number;
}

const maxDepth = 2000;
const destinations: Readonly<Record<string, Destination>> = {
  fonttbl: 'fonts',
  stylesheet: 'styles',
  listtext: 'bullet',
  pntext: 'bullet',
  info: 'information',
  title: 'title',
  author: 'author',
  subject: 'subject',
  creatim: 'created',
  revtim: 'revised',
};
const nowhere = new Set(
  `colortbl pict objdata leveltext levelnumbers levelmarker listname listpicture header headerl headerr headerf footer footerl footerr footerf annotation atnid atnauthor
  atntime atnref themedata colorschememapping latentstyles listtable listoverridetable revtbl rsidtbl generator datastore
  xmlnstbl fldinst bkmkstart bkmkend nonshppict operator company manager category keywords doccomm hlinkbase comment
  printim buptim sp sn sv background template ftnsep ftnsepc aftnsep aftnsepc filetbl do xe tc rxe private`.split(
    /\s+/,
  ),
);
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
/** Optional destinations that hold text which is shown. */
const shownOptional = new Set([
  'shptxt',
  'fldrslt',
  'footnote',
  'pntext',
  'listtext',
  'shppict',
  'nesttableprops',
]);

/** Follows the groups, fonts and styles of RTF and writes the text that is shown. */
export function createRtfWriter(out: StructuredText): RtfWriter {
  const groups: Group[] = [{ destination: 'body', isHidden: false, font: 0, fallback: 1 }];
  const fontPages = new Map<number, number>();
  const headingStyles = new Set<number>();
  const named: Record<'title' | 'author' | 'subject', string> = { title: '', author: '', subject: '' };
  const dates: Record<'created' | 'revised', number[]> = { created: [], revised: [] };
  let codePage = 1252;
  let pending: number[] = [];
  let text = '';
  let cell = '';
  let cells: string[] = [];
  let hasBullet = false;
  let isOptional = false;
  let toSkip = 0;
  let style = { number: 0, name: '', isHeading: false };
  let paragraph = { isInTable: false, isHeading: false, isItem: false, level: 0 };

  const group = (): Group => groups.at(-1) as Group;
  const flush = () => {
    if (pending.length === 0) return;
    const bytes = Uint8Array.from(pending);
    pending = [];
    put(decodeCodePage(bytes, fontPages.get(group().font) ?? codePage));
  };
  const put = (run: string) => {
    const { destination, isHidden } = group();
    if (destination === 'body' && !isHidden) text += run;
    else if (destination === 'title' || destination === 'author' || destination === 'subject')
      named[destination] = (named[destination] + run).slice(0, 1000);
    else if (destination === 'styles') style.name = (style.name + run).slice(0, 100);
  };
  const finishParagraph = () => {
    const { isInTable, isHeading, isItem, level } = paragraph;
    if (isInTable) cell += `${text} `;
    else {
      finishRow();
      if (isHeading) out.heading(text);
      else if (isItem || hasBullet) out.item(text, level);
      else out.paragraph(text);
    }
    text = '';
    // The sign before an item is said anew for each.
    hasBullet = false;
  };
  const finishRow = () => {
    if (cells.length > 0 || cell.trim() !== '') out.row([...cells, ...(cell.trim() === '' ? [] : [cell])]);
    cells = [];
    cell = '';
  };
  const setFormat = (name: string, value: number | undefined): boolean => {
    const now = group();
    switch (name) {
      case 'plain':
        now.isHidden = false;
        return true;
      case 'v':
        now.isHidden = value !== 0;
        return true;
      case 'f':
        if (now.destination === 'fonts' || value !== undefined) now.font = value ?? 0;
        return true;
      case 'fcharset': {
        const page = codePageOfCharset(value ?? 0);
        if (now.destination === 'fonts' && page !== undefined) fontPages.set(now.font, page);
        return true;
      }
      case 'ansicpg':
        codePage = value && value > 0 ? value : codePage;
        return true;
      case 'mac':
        codePage = 10000;
        return true;
      case 'uc':
        now.fallback = Math.max(0, Math.min(value ?? 1, 16));
        return true;
      default:
        return false;
    }
  };
  const setParagraph = (name: string, value = 0): boolean => {
    const inStyles = group().destination === 'styles';
    if (name === 'pard') paragraph = { isInTable: false, isHeading: false, isItem: false, level: 0 };
    else if (name === 'intbl') paragraph.isInTable = true;
    else if (name === 's' && inStyles) style.number = value;
    else if (name === 's') paragraph.isHeading = headingStyles.has(value);
    else if (name === 'outlinelevel' && inStyles) style.isHeading = value < 9;
    else if (name === 'outlinelevel') paragraph.isHeading = value < 9;
    else if (name === 'ls') paragraph.isItem = value > 0;
    else if (name === 'ilvl') paragraph.level = value;
    else return false;
    return true;
  };
  const setDate = (name: string, value: number | undefined): boolean => {
    const at = ['yr', 'mo', 'dy', 'hr', 'min'].indexOf(name);
    const { destination } = group();
    if (at < 0 || (destination !== 'created' && destination !== 'revised')) return false;
    dates[destination][at] = value ?? 0;
    return true;
  };
  const breakText = (name: string): boolean => {
    if (group().destination !== 'body') return false;
    if (name === 'par' || name === 'sect' || name === 'page') finishParagraph();
    else if (name === 'cell' || name === 'nestcell') {
      cells.push(cell + text);
      cell = '';
      text = '';
    } else if (name === 'row' || name === 'nestrow') finishRow();
    else return false;
    return true;
  };

  return {
    open() {
      flush();
      if (groups.length > maxDepth) throw new Refused('damaged file');
      groups.push({ ...group() });
      if (group().destination === 'styles') style = { number: 0, name: '', isHeading: false };
      isOptional = false;
      toSkip = 0;
    },
    close() {
      flush();
      const { destination } = group();
      if (destination === 'styles' && (style.isHeading || /^\s*(?:heading \d|title)\b/i.test(style.name)))
        headingStyles.add(style.number);
      if (groups.length > 1) groups.pop();
      if (destination === 'bullet' && group().destination === 'body') hasBullet = true;
      if (destination === 'styles') style = { number: 0, name: '', isHeading: false };
      isOptional = false;
      toSkip = 0;
    },
    word(name, value) {
      flush();
      if (name === 'u' && value !== undefined) {
        put(String.fromCharCode(value < 0 ? value + 65536 : value));
        toSkip = group().fallback;
        return;
      }
      const now = group();
      if (isOptional && !shownOptional.has(name) && destinations[name] === undefined)
        now.destination = 'nowhere';
      else if (now.destination !== 'nowhere' && nowhere.has(name)) now.destination = 'nowhere';
      else if (name === 'footnote' && now.destination === 'body') put(' ');
      else if (now.destination !== 'nowhere' && destinations[name] !== undefined)
        now.destination = destinations[name];
      else if (characters[name] !== undefined) put(characters[name]);
      else if (!breakText(name) && !setFormat(name, value) && !setParagraph(name, value))
        setDate(name, value);
      isOptional = false;
    },
    symbol(sign) {
      if (sign === '*') isOptional = true;
      else if (toSkip > 0) toSkip--;
      else {
        flush();
        if (sign === '\\' || sign === '{' || sign === '}') put(sign);
        else if (sign === '~') put('\u00a0');
        else if (sign === '_') put('-');
        else if ((sign === '\n' || sign === '\r') && group().destination === 'body') finishParagraph();
      }
    },
    byte(value) {
      if (toSkip > 0) toSkip--;
      else pending.push(value);
    },
    text(run) {
      const shown = run.slice(toSkip);
      toSkip = Math.max(0, toSkip - run.length);
      if (shown === '') return;
      // A double-byte character may have its second byte in plain sight.
      if (pending.length > 0 || /[\x80-\xff]/.test(shown))
        for (const c of shown) pending.push(c.charCodeAt(0));
      else put(shown);
    },
    finish() {
      flush();
      finishParagraph();
      finishRow();
      return {
        ...named,
        description: named.subject,
        created: timeOf(dates.created),
        modified: timeOf(dates.revised),
      };
    },
  };
}

function timeOf([year, month, day, hour = 0, minute = 0]: readonly number[]): number | undefined {
  if (!year || !month || !day) return undefined;
  return Date.UTC(year, month - 1, day, hour, minute);
}
