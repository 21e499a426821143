import { createHeadingIds, type DocsPages } from './docs.ts';

/** A section of the documentation that has all words of a search. */
export interface DocsHit {
  /** Its address, with the heading that it stands under. */
  readonly address: string;
  readonly page: string;
  readonly heading: string;
  /** The first line that has one of the words. */
  readonly line: string;
}

interface Section extends Omit<DocsHit, 'line'> {
  readonly lines: readonly string[];
  readonly folded: string;
}

const maxHits = 20;
const maxWords = 16;
/** One match in a heading or in the page’s title counts as much as this many matches in the text. */
const headingWeight = 20;
const titleWeight = 5;

/** Returns the search over the documentation: sections that have all words, the best first. Word beginnings count. */
export function createDocsSearch(docs: DocsPages): (q: string) => readonly DocsHit[] {
  let sections: readonly Section[] | undefined;
  return (q) => {
    sections ??= docs.flatMap(sectionsOf);
    const words = [...new Set(wordsOf(q))].slice(0, maxWords);
    if (words.length === 0) return [];
    const scored = sections.flatMap((section) => {
      const score = scoreOf(section, words);
      return score === 0 ? [] : [{ section, score }];
    });
    return scored
      .sort((a, b) => b.score - a.score)
      .slice(0, maxHits)
      .map(({ section: { address, page, heading, lines } }) => {
        const line = lines.find((each) => words.some((word) => hasWord(fold(each), word))) ?? lines[0] ?? '';
        return { address, page, heading, line };
      });
  };
}

/** 0 for a section that lacks a word. */
function scoreOf({ page, heading, folded }: Section, words: readonly string[]): number {
  let score = 0;
  for (const word of words) {
    const count = folded.split(` ${word}`).length - 1;
    const inHeading = hasWord(fold(heading), word) ? headingWeight : 0;
    const inTitle = hasWord(fold(page), word) ? titleWeight : 0;
    if (count + inHeading + inTitle === 0) return 0;
    score += Math.log2(1 + count) + inHeading + inTitle;
  }
  return score;
}

function sectionsOf({ path, title, markdown }: DocsPages[number]): Section[] {
  const headingId = createHeadingIds();
  const sections: Section[] = [];
  let open = { heading: title, address: path, lines: [] as string[] };
  let isCode = false;
  const close = (): void => {
    const folded = fold(open.lines.join(' '));
    sections.push({ ...open, page: title, folded });
  };
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    const heading = isCode ? undefined : /^#{1,6} (.+)$/.exec(line)?.[1];
    if (heading === undefined) {
      if (!/^\s*$|^(?:```|<!--|\|-)/.test(line)) open.lines.push(plain(line));
      continue;
    }
    close();
    const text = plain(heading);
    open = { heading: text, address: `${path}#${headingId(text)}`, lines: [] };
  }
  close();
  return sections.filter(({ lines }) => lines.length > 0);
}

/** A line of Markdown without its signs. */
function plain(line: string): string {
  return line
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .replaceAll('|', ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function wordsOf(text: string): string[] {
  return fold(text)
    .split(' ')
    .filter((word) => word !== '');
}

/** Small letters, with a space before each word. */
function fold(text: string): string {
  return ` ${text.toLowerCase().replace(/[^\p{L}\p{N}_]+/gu, ' ')}`;
}

function hasWord(folded: string, word: string): boolean {
  return folded.includes(` ${word}`);
}
