import { foldForComparison } from '../../text/line/fold-for-comparison.ts';
import { oneLine } from '../../text/line/one-line.ts';
import type { Element, HtmlTree } from '../main-text/tree.ts';
import { parseDate } from './dates.ts';
import { beginsAsByline, isByline, isPersonName, namesIn } from './person-names.ts';
import { type AsideTest, createAsideTest, shortText } from './visible-dates.ts';

export interface Byline {
  readonly names: readonly string[];
  /** The source, for people. */
  readonly from: string;
}

/** Words of a class, an id, `rel` or `itemprop` that say that the element names an author. */
const authorWords = new Set(
  `author authors byline bylines autor autoren autorin autorenzeile auteur auteurs autore autori autores verfasser writer writers
  columnist contributor contributors journalist redakteur redacteur forfatter skribent documentauthor zuozhe postedby`.split(
    /\s+/,
  ),
);
/** Words beside them that say that it is something else: what an author looks like, says of himself, or wrote. */
const otherWords = new Set(
  `comment comments bio biography description desc about avatar image img photo picture social follow share twitter email role job
  position articles posts related more other others count caption button search filter list archive recommend popular similar
  notes note quote testimonial commenter reviews review has no`.split(/\s+/),
);
const nonContent = /^(?:script|style|noscript|select|svg|head|template|textarea|option)$/;
const blocks = /^(?:div|p|li|ul|ol|h[1-6]|br|td|tr|section|header|footer|dd|dt|article|address|figure)$/;

const maxNodes = 20_000;
const maxBylineText = 400;
const maxBylineNodes = 100;
/** Lines of text between the title and the byline. */
const maxLinesAfterTitle = 15;
const maxLinesBeforeTitle = 6;
/** A longer line is no byline. */
const maxLine = 120;

const maxDatedLine = 80;
const betweenParts = /\s*[|•·,]\s+|\s+[-–—/]+\s+/u;
/** `6 May 2024 13:30 by Olga`. */
const bySomeone = /^(.*\d.*)\s((?:by|von|par|por|di|da|door|av)\s+\S+)$/iu;

interface Candidate extends Byline {
  readonly line: number;
  readonly element: Element;
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
    if (isShort && !/\S/.test(text)) return;
    lines++;
    if (!isShort || isPastTitle()) return;
    const line = text.trim().replace(/\s+/g, ' ');
    const isLabel = isByline(line);
    if (isLabel || beginsAsByline(line)) {
      const whole = linesOf(element).find((each) => each.startsWith(line)) ?? line;
      speak(whole, element);
      if (isLabel && spoken.at(-1)?.line !== lines) labelLine = lines;
    } else if (labelLine === lines - 1) speak(line, element);
    else speakWithDate(line, element);
  }
  /** `5 May 2024 - Ann Lee`, `Ann Lee, 5 May 2024`. */
  function speakWithDate(line: string, element: Element): void {
    if (line.length > maxDatedLine || !/\d/.test(line)) return;
    const parts = line.split(betweenParts).map((part) => part.trim());
    const name = parts.find(isPersonName);
    if (name !== undefined && parts.some((part) => /\d/.test(part) && parseDate(part) !== undefined))
      speak(name, element);
    else if (name === undefined) {
      const said = bySomeone.exec(line);
      if (said?.[2] !== undefined && parseDate(said[1] ?? '') !== undefined) speak(said[2], element, true);
    }
  }
  /** Below the byline's place only elements that are called an author's count. */
  function isPastTitle(): boolean {
    return titleLine !== undefined && lines > titleLine + maxLinesAfterTitle;
  }
  function speak(line: string, element: Element, accounts = false): void {
    const names = line.length > maxLine ? [] : namesIn(line, { accounts });
    if (names.length > 0)
      spoken.push({ names, from: `line "${oneLine(line).slice(0, 60)}"`, line: lines, element });
  }

  (function visit(element: Element): void {
    for (const child of element.children) {
      if (++nodes > maxNodes) return;
      if (typeof child === 'string') {
        readText(child, element);
        continue;
      }
      if (nonContent.test(child.tag)) continue;
      if (namesAuthor(child)) {
        const names = namesOf(child);
        if (names.length > 0) marked.push({ names, from: describeMark(child), line: lines, element: child });
      }
      const linesAbove = lines;
      visit(child);
      if (titleLine === undefined && /^h[1-4]$/.test(child.tag) && isTitle(child, foldedTitle))
        titleLine = linesAbove;
    }
  })(tree.root);
  return choose(marked, spoken, { titleLine, ...createAsideTest(tree) });
}

function isTitle(heading: Element, foldedTitle: string): boolean {
  if (heading.tag === 'h1' && foldedTitle === '') return true;
  const folded = foldForComparison(shortText(heading));
  return folded !== '' && (folded === foldedTitle || (heading.tag === 'h1' && folded.includes(foldedTitle)));
}

function choose(
  marked: readonly Candidate[],
  spoken: readonly Candidate[],
  { titleLine = -1, isInAside }: { readonly titleLine: number | undefined } & Pick<AsideTest, 'isInAside'>,
): Byline | null {
  const usable = marked.filter(({ element }) => !isInAside(element));
  const isNear = ({ line }: Candidate) =>
    titleLine >= 0 && line >= titleLine - maxLinesBeforeTitle && line <= titleLine + maxLinesAfterTitle;
  const near = usable.find(isNear);
  if (near !== undefined) return withSiblings(near, usable);
  const said = spoken.find((candidate) => isNear(candidate) && !isInAside(candidate.element));
  if (said !== undefined) return said;
  const first = usable[0];
  if (first === undefined) return null;
  const isAlone = usable.every(({ names }) => names.join() === first.names.join());
  return isAlone || hasSameParent(usable) ? withSiblings(first, usable) : null;
}

const hasSameParent = (candidates: readonly Candidate[]) =>
  candidates.every(({ element }) => element.parent === candidates[0]?.element.parent);

/** Several authors are elements side by side. */
function withSiblings(first: Candidate, all: readonly Candidate[]): Byline {
  const { parent } = first.element;
  const together = all.filter(
    ({ element }) =>
      element === first.element ||
      (element.attributes.class === first.element.attributes.class &&
        (element.parent === parent || (element.parent?.parent === parent?.parent && parent?.tag === 'li'))),
  );
  return { names: [...new Set(together.flatMap(({ names }) => names))], from: first.from };
}

/** Whether the names of an element say that it names an author. Verdicts are kept by the text of the names. */
function createAuthorTest(): (element: Element) => boolean {
  const verdicts = new Map<string, boolean>();
  return ({ tag, attributes }) => {
    if (tag === 'byline' || tag === 'author') return true;
    if (wholes.test(tag)) return false;
    const { class: classes = '', id = '', rel = '', itemprop = '' } = attributes;
    const list = `${classes} ${id} ${rel} ${itemprop}`;
    if (list.length < shortestNames) return false;
    let verdict = verdicts.get(list);
    if (verdict === undefined) {
      verdict = mayName.test(list) && saysAuthor(list.slice(0, 500));
      verdicts.set(list, verdict);
    }
    return verdict;
  };
}

/** What every word for an author holds: cheaper than to take the names apart. */
const mayName =
  /aut|byline|verfasser|writer|columnist|contributor|journalist|reda[ck]teur|forfatter|skribent|zuozhe|postedby/i;
/** Elements that hold more than a byline, whatever they are called. */
const wholes = /^(?:html|body|main|article|form|section|img|input)$/;
/** `author` and three spaces; most elements have no names at all. */
const shortestNames = 9;

/** A name is judged by its own words: a block may be called `author` and `more-articles`. */
function saysAuthor(list: string): boolean {
  return list.split(/\s+/).some((name) => {
    const words = name
      .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
      .toLowerCase()
      .split(/[^\p{L}]+/u);
    return words.some((word) => authorWords.has(word)) && !words.some((word) => otherWords.has(word));
  });
}

function describeMark({ tag, attributes }: Element): string {
  const name = attributes.itemprop ?? attributes.rel ?? attributes.class ?? attributes.id ?? '';
  return `${tag} called ${oneLine(name).slice(0, 60)}`;
}

/** The names in an element: in its first lines. A single word must be all that it says, or its first link. */
function namesOf(element: Element): string[] {
  const lines = linesOf(element);
  for (const line of lines.slice(0, 4)) {
    const names = line.length > maxLine ? [] : namesIn(line, { accounts: lines.length === 1 });
    if (names.length > 0) return names;
  }
  const link = lines.length > 4 ? undefined : firstLink(element);
  if (link === undefined || !aboutPerson.test(link.attributes.href ?? '')) return [];
  return namesIn(shortText(link), { accounts: true });
}

/** Addresses of the pages about people. */
const aboutPerson = /author|autor|auteur|users?\b|profile?|member|people|person|redakt|contributor/i;

function firstLink(element: Element): Element | undefined {
  let link: Element | undefined;
  let looked = 0;
  (function visit(current: Element): void {
    for (const child of current.children) {
      if (typeof child === 'string' || link !== undefined || ++looked > maxBylineNodes) continue;
      if (child.tag === 'a') link = child;
      else visit(child);
    }
  })(element);
  return link;
}

/** The lines of an element's beginning; links without a space between them are separate names. */
function linesOf(element: Element): string[] {
  let text = '';
  let looked = 0;
  let afterLink = -1;
  function read(parent: Element): void {
    for (const child of parent.children) {
      if (text.length > maxBylineText || ++looked > maxBylineNodes) return;
      if (typeof child === 'string') text += child.replace(/\s+/g, ' ');
      else if (!nonContent.test(child.tag)) enter(child);
    }
  }
  function enter(child: Element): void {
    const gap = blocks.test(child.tag) ? '\n' : '';
    text += child.tag === 'a' && text.length === afterLink ? ', ' : gap;
    read(child);
    text += gap;
    if (child.tag === 'a') afterLink = text.length;
  }
  read(element);
  const lines = text
    .split('\n')
    .map(oneLine)
    .filter((line) => line !== '' && !isByline(line));
  return lines;
}
