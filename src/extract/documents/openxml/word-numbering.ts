import { attribute, walkXml } from '../xml.ts';

/** A level of a list: how its numbers look. */
interface Level {
  start: number;
  format: string;
  /** With `%1` for the number of the first level and so on; empty for bullets. */
  text: string;
}

/** Counts the items of all lists of a document, as the program that shows it does. */
export interface WordNumbering {
  /** The number before the next paragraph of a list; empty for a bullet and for what is no list. */
  next(list: string, level: number): string;
}

const maxLevels = 9;

interface List {
  abstract: string;
  /** The number that this list restarts with, by level. */
  readonly starts: Map<number, number>;
}

/** The shared definitions, and the lists that follow them, by their ids. */
function readDefinitions(xml: string) {
  const abstracts = new Map<string, Level[]>();
  const lists = new Map<string, List>();
  let levels: Level[] | undefined;
  let level: Level | undefined;
  let list: List | undefined;
  let overridden = 0;
  const openLevel = (name: string, value: string) => {
    if (level === undefined) return;
    if (name === 'start') level.start = Number(value) || 0;
    else if (name === 'numFmt') level.format = value;
    else if (name === 'lvlText') level.text = value;
  };
  const openList = (name: string, value: string, depth: number) => {
    if (list === undefined) return;
    if (name === 'abstractNumId') list.abstract = value;
    else if (name === 'lvlOverride') overridden = depth;
    else if (name === 'startOverride') list.starts.set(overridden, Number(value) || 0);
  };
  walkXml(xml, {
    open(name, attributes) {
      const value = attribute(attributes, 'val') ?? '';
      if (name === 'abstractNum') {
        levels = [];
        abstracts.set(attribute(attributes, 'abstractNumId') ?? '', levels);
      } else if (name === 'num') {
        list = { abstract: '', starts: new Map() };
        lists.set(attribute(attributes, 'numId') ?? '', list);
      } else if (name === 'lvl' && levels !== undefined && levels.length < maxLevels) {
        level = { start: 1, format: 'decimal', text: '' };
        levels.push(level);
      } else if (level) openLevel(name, value);
      else openList(name, value, Number(attribute(attributes, 'ilvl')) || 0);
    },
    close(name) {
      if (name === 'abstractNum') levels = undefined;
      else if (name === 'num') list = undefined;
      else if (name === 'lvl') level = undefined;
    },
  });
  return { abstracts, lists };
}

/** Reads numbering.xml (ECMA-376 part 1, 17.9). Pictures, fonts and overrides of single levels' texts are left out. */
export function readWordNumbering(xml: string): WordNumbering {
  const { abstracts, lists } = readDefinitions(xml);
  /** The numbers that each abstract list has reached, by level. */
  const counters = new Map<string, number[]>();
  const begun = new Set<string>();
  return {
    next(id, depth) {
      const found = lists.get(id);
      const own = found && abstracts.get(found.abstract);
      const current = own?.[depth];
      if (found === undefined || own === undefined || current === undefined) return '';
      const counter = counters.get(found.abstract) ?? [];
      counters.set(found.abstract, counter);
      const restart = found.starts.get(depth);
      const isFirst = !begun.has(`${id} ${depth}`);
      begun.add(`${id} ${depth}`);
      if (isFirst && restart !== undefined) counter[depth] = restart;
      else counter[depth] = counter[depth] === undefined ? current.start : counter[depth] + 1;
      counter.length = depth + 1;
      if (current.format === 'bullet' || current.format === 'none') return '';
      return current.text.replace(/%([1-9])/g, (_, digit: string) => {
        const at = Number(digit) - 1;
        const { format, start } = own[at] ?? current;
        return inFormat(counter[at] ?? start, format);
      });
    },
  };
}

function inFormat(number: number, format: string): string {
  switch (format) {
    case 'lowerLetter':
      return letters(number);
    case 'upperLetter':
      return letters(number).toUpperCase();
    case 'lowerRoman':
      return roman(number);
    case 'upperRoman':
      return roman(number).toUpperCase();
    case 'decimalZero':
      return String(number).padStart(2, '0');
    case 'chineseCounting':
    case 'chineseCountingThousand':
    case 'ideographDigital':
    case 'japaneseCounting':
    case 'taiwaneseCountingThousand':
      return new Intl.NumberFormat('zh-u-nu-hanidec', { useGrouping: false }).format(number);
    default:
      return String(number);
  }
}

/** a to z, then aa, bb. */
function letters(number: number): string {
  const at = Math.max(0, number - 1);
  return String.fromCharCode(0x61 + (at % 26)).repeat(Math.min(10, Math.floor(at / 26) + 1));
}

const romans: readonly (readonly [number, string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];

function roman(number: number): string {
  if (number < 1 || number > 3999) return String(number);
  let [text, rest] = ['', number];
  for (const [value, sign] of romans) for (; rest >= value; rest -= value) text += sign;
  return text;
}
