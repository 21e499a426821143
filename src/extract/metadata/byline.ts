import { foldForComparison } from '../../text/line/fold-for-comparison.ts';
import { oneLine } from '../../text/line/one-line.ts';
import { squeezeSpace } from '../../text/line/squeeze-space.ts';
import { type Element, type HtmlTree, hasAncestor, isHeading } from '../main-text/tree.ts';
import { createAuthorTest } from './author-elements.ts';
import { beginsLine, bylineLines, firstLink, isBlank, unreadTags } from './byline-lines.ts';
import { parseDate } from './dates.ts';
import {
  beginsAsByline,
  beginsAsCredit,
  beginsAsInterview,
  beginsWithNoun,
  isByline,
  isPersonName,
  namesIn,
} from './person-names.ts';
import { type AsideTest, createAsideTest, shortText, titleTags } from './visible-dates.ts';

export interface Byline {
  readonly names: readonly string[];
  /** The source, for people. */
  readonly from: string;
  /** It stands where bylines do: a few lines from the title. */
  readonly isNearTitle: boolean;
}

const maxNodes = 20_000;
/** Lines of text between the title and the byline. */
const maxLinesAfterTitle = 15;
const maxLinesBeforeTitle = 6;
/** Even a block that is called a sidebar is about the page there. */
const maxLinesToSidebar = 4;
/** More people side by side are a list of members or contributors. */
const maxAuthors = 12;
/** Of text, between two authors of one article: a role, a place, an account. */
const maxLinesBetween = 5;
/** A longer line is no byline. */
const maxLine = 120;

const maxDatedLine = 80;
const betweenParts = /\s*[|•·,]\s+|\s+[-–—/]+\s+/u;
/** `6 May 2024 13:30 by Olga`. */
const bySomeone = /^(.*\d.*)\s((?:by|von|par|por|di|da|door|av)\s+\S+)$/iu;

interface Candidate extends Omit<Byline, 'isNearTitle'> {
  readonly line: number;
  readonly element: Element;
  /** Only a date beside it makes the line a byline. */
  readonly isDated?: boolean;
}

/**
 * The visible byline: an element that its names call an author's, or a line that begins with `By` and the like, next to the
 * title; else the first such element of the page if all of them name the same people. Null where there is none.
 */
export function bylineOf(tree: HtmlTree, title: string): Byline | null {
  const namesAuthor = createAuthorTest();
  const marked: Candidate[] = [];
  const spoken: Candidate[] = [];
  const foldedTitle = foldForComparison(title);
  let titleLine: number | undefined;
  let lines = 0;
  let nodes = 0;
  let labelLine = -1;

  function readText(text: string, element: Element): void {
    const isShort = text.length <= maxLine * 4;
    if (isShort && isBlank(text)) return;
    lines++;
    if (!isShort || (isPastTitle() && labelLine !== lines - 1 && !beginsWithNoun(text))) return;
    const line = squeezeSpace(text);
    if (line.length > maxLine || isCreditInSentence(text, element)) return;
    const isLabel = isByline(line);
    if (isLabel || beginsAsByline(line)) {
      const whole = bylineLines(element).find((each) => !isByline(each) && each.startsWith(line)) ?? line;
      if (whole !== line || !isLabel) speak(whole, element);
      if (isLabel && spoken.at(-1)?.line !== lines) labelLine = lines;
    } else if (labelLine === lines - 1) speak(line, element, { accounts: element.tag === 'a' });
    else speakWithDate(line, element);
  }
  /** `5 May 2024 - Ann Lee`, `Ann Lee, 5 May 2024`. */
  function speakWithDate(line: string, element: Element): void {
    if (line.length > maxDatedLine || !/\d/.test(line)) return;
    const parts = line.split(betweenParts).map((part) => part.trim());
    const name = parts.find(isPersonName);
    if (name !== undefined && parts.some((part) => /\d/.test(part) && parseDate(part) !== undefined))
      speak(name, element, { isDated: true });
    else if (name === undefined) {
      const said = bySomeone.exec(line);
      if (said?.[2] !== undefined && parseDate(said[1] ?? '') !== undefined)
        speak(said[2], element, { accounts: true, isDated: true });
    }
  }
  /** Below the byline's place only elements that are called an author's count, and labels with a colon. */
  function isPastTitle(): boolean {
    return titleLine !== undefined && lines > titleLine + maxLinesAfterTitle;
  }
  function speak(line: string, element: Element, { accounts = false, isDated = false } = {}): void {
    // In the heading of an interview, the name is that of the person who answers.
    if (line.length > maxLine || (beginsAsInterview(line) && hasAncestor(element, isHeading))) return;
    const names = namesIn(line, { accounts });
    if (names.length > 0)
      spoken.push({ names, from: `line "${oneLine(line).slice(0, 60)}"`, line: lines, element, isDated });
  }

  (function visit(element: Element): void {
    for (const child of element.children) {
      if (++nodes > maxNodes) return;
      if (typeof child === 'string') {
        readText(child, element);
        continue;
      }
      if (unreadTags.has(child.tag)) continue;
      if (namesAuthor(child)) {
        const names = namesOf(child);
        if (names.length > 0) marked.push({ names, from: describeMark(child), line: lines, element: child });
      }
      const linesAbove = lines;
      visit(child);
      if (titleLine === undefined && titleTags.has(child.tag) && isTitle(child, foldedTitle))
        titleLine = linesAbove;
    }
  })(tree.root);
  const byline = choose(marked, spoken, { titleLine, ...createAsideTest(tree) });
  return byline !== null && byline.names.length > maxAuthors ? null : byline;
}

const isCreditInSentence = (text: string, element: Element) =>
  beginsAsCredit(text) && !beginsLine(text, element);

function isTitle(heading: Element, foldedTitle: string): boolean {
  if (heading.tag === 'h1' && foldedTitle === '') return true;
  const folded = foldForComparison(shortText(heading));
  return folded !== '' && (folded === foldedTitle || (heading.tag === 'h1' && folded.includes(foldedTitle)));
}

function choose(
  marked: readonly Candidate[],
  spoken: readonly Candidate[],
  {
    titleLine = -1,
    isInAside,
    isInSidebar,
  }: { readonly titleLine: number | undefined } & Omit<AsideTest, 'isAside'>,
): Byline | null {
  const isBelowTitle = (line: number) =>
    titleLine >= 0 && line > titleLine && line <= titleLine + maxLinesToSidebar;
  const isBeside = ({ element, line }: Candidate) =>
    isInAside(element) && !(isBelowTitle(line) && isInSidebar(element));
  const outside = marked.filter((candidate) => !isBeside(candidate));
  const contradicted = boxesAround(outside);
  const usable = outside.filter(({ element }) => !contradicted.has(element));
  const isNear = ({ line }: Candidate) =>
    titleLine >= 0 && line >= titleLine - maxLinesBeforeTitle && line <= titleLine + maxLinesAfterTitle;
  const near =
    usable.find((candidate) => isNear(candidate) && candidate.line >= titleLine) ?? usable.find(isNear);
  if (near !== undefined) return { ...withSiblings(near, usable), isNearTitle: true };
  const said = spoken.find((candidate) => isNear(candidate) && !isBeside(candidate));
  if (said !== undefined) return { ...said, isNearTitle: true };
  const late = spoken.filter(
    ({ line, element, isDated }) => !isDated && line > titleLine && !isInAside(element),
  );
  const [first] = usable.length > 0 ? usable : late;
  if (first === undefined) return null;
  if (usable.length === 0) return sayTheSame(late) ? { ...first, isNearTitle: false } : null;
  return sayTheSame(usable) || hasSameParent(usable)
    ? { ...withSiblings(first, usable), isNearTitle: false }
    : null;
}

/** Elements in which another one names others: the box around a byline, which begins with something else. */
function boxesAround(candidates: readonly Candidate[]): ReadonlySet<Element> {
  const byElement = new Map(candidates.map((candidate) => [candidate.element, candidate]));
  const boxes = new Set<Element>();
  for (const { element, names } of candidates) {
    for (let at = element.parent; at !== null; at = at.parent) {
      const outer = byElement.get(at);
      if (outer !== undefined && !names.some((name) => outer.names.includes(name))) boxes.add(at);
    }
  }
  return boxes;
}

const sayTheSame = (candidates: readonly Candidate[]) =>
  candidates.every(({ names }) => names.join() === candidates[0]?.names.join());

const hasSameParent = (candidates: readonly Candidate[]) =>
  candidates.every(({ element }) => element.parent === candidates[0]?.element.parent);

/** Several authors are elements side by side; farther apart stand those of several articles. */
function withSiblings(first: Candidate, all: readonly Candidate[]): Pick<Byline, 'names' | 'from'> {
  const { parent } = first.element;
  let { line } = first;
  const together = all.filter((each) => {
    const { element } = each;
    if (element === first.element) return true;
    const isBeside =
      element.attributes.class === first.element.attributes.class &&
      (element.parent === parent || (element.parent?.parent === parent?.parent && parent?.tag === 'li')) &&
      Math.abs(each.line - line) <= maxLinesBetween;
    if (isBeside) line = each.line;
    return isBeside;
  });
  return { names: [...new Set(together.flatMap(({ names }) => names))], from: first.from };
}

function describeMark({ tag, attributes }: Element): string {
  const name = attributes.itemprop ?? attributes.rel ?? attributes.class ?? attributes.id ?? '';
  return `${tag} called ${oneLine(name).slice(0, 60)}`;
}

/** The names in an element: in its first lines. A single word must be all that it says, or its first link. */
function namesOf(element: Element): string[] {
  const lines = bylineLines(element).filter((line) => !isByline(line));
  for (const line of lines.slice(0, 4)) {
    const names = line.length > maxLine ? [] : namesIn(line, { accounts: lines.length === 1 });
    const [name = ''] = names;
    if (name.includes(' ') || isAccountOf(element, name) || beginsAsByline(line)) return names;
  }
  const link = lines.length > 4 ? undefined : firstLink(element);
  if (link === undefined || !aboutPerson.test(link.attributes.href ?? '')) return [];
  return namesIn(shortText(link), { accounts: true });
}

/** A single word is a name only where it leads somewhere, or is marked as a name itself; otherwise it may be any label. */
function isAccountOf(element: Element, name: string): boolean {
  if (name === '') return false;
  if (cjkOnly.test(name) || element.tag === 'a' || accountName.test(classesOf(element))) return true;
  const link = firstLink(element);
  return link !== undefined && oneLine(shortText(link)) === name;
}
const cjkOnly = /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}ー・·]+$/u;
const classesOf = ({ attributes }: Element) => `${attributes.class ?? ''} ${attributes.itemprop ?? ''}`;
const accountName = /(?:^|[\s_-])(?:v-?card|h-card|fn|user-?name|nick-?name|author)(?:$|\s)/i;

/** Addresses of the pages about people. */
const aboutPerson = /author|autor|auteur|users?\b|profile?|member|people|person|redakt|contributor/i;
