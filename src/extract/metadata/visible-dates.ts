import { foldForComparison, foldsTo, mayFoldTo } from '../../text/line/fold-for-comparison.ts';
import { oneLine } from '../../text/line/one-line.ts';
import { type Element, type HtmlTree, hasAncestor } from '../main-text/tree.ts';
import { parseDate } from './dates.ts';
import { beginsAsByline } from './person-names.ts';
import { isReply } from './replies.ts';

const modified =
  /modif|updat|edited|revis|changed|aktualisiert|geändert|änderung|mis à jour|actualizad|更新|修改|수정/i;
const published =
  /publi[sc]|posted|pubdate|pub-date|entry-date|post-date|postdate|article-date|articledate|created|dateline/i;

function namesOf({ attributes }: Element): string {
  const { class: classes, id, itemprop } = attributes;
  if (id === undefined && itemprop === undefined) return classes ?? '';
  return `${classes ?? ''} ${id ?? ''} ${itemprop ?? ''}`;
}

/** Tests an element's names. Lists of classes repeat on a page, so verdicts on them are kept. */
function createNamesTest(pattern: RegExp): (element: Element) => boolean {
  const verdicts = new Map<string, boolean>();
  return (element) => {
    const { class: classes, id, itemprop } = element.attributes;
    if (id !== undefined || itemprop !== undefined) return pattern.test(namesOf(element));
    if (classes === undefined) return false;
    let verdict = verdicts.get(classes);
    if (verdict === undefined) {
      verdict = pattern.test(classes);
      verdicts.set(classes, verdict);
    }
    return verdict;
  };
}

/** Whether its own names or its parent's mark a date of modification. */
export function isModified(element: Element): boolean {
  const names = namesOf(element);
  if (published.test(names)) return false;
  return modified.test(names) || (element.parent !== null && modified.test(namesOf(element.parent)));
}

/** Whether its own names or its parent's mark the date of publication. */
export function isPublished(element: Element): boolean {
  return (
    published.test(namesOf(element)) || (element.parent !== null && published.test(namesOf(element.parent)))
  );
}

const asideName =
  /(?<!(?:with|has|no)[_-])(?:^|[\s_-])(?:comments?|comment-?list|related|recommend\w*|sidebar|footer|popular|latest|recent|teasers?|copyright|carousel)(?:$|[\s_-])/i;

export interface AsideTest {
  /** Whether the element itself is beside the content: by its tag, or by its names. */
  isAside(element: Element): boolean;
  /** Whether it or what it is in is beside the content. */
  isInAside(element: Element): boolean;
  /** It is beside the content by nothing but names for its place: a sidebar may hold what the page says of itself. */
  isInSidebar(element: Element): boolean;
}

const sidebarName = /sidebar|teaser/i;

/** What holds the heading of the page is not beside the content, whatever its names say of the layout: `one-sidebar`. */
export function createAsideTest(tree: HtmlTree, title = ''): AsideTest {
  const hasAsideName = createNamesTest(asideName);
  const holders = new Set<Element>();
  for (const heading of [...(tree.byTag.get('h1') ?? []), ...titleLines(tree, title)])
    for (let at = heading.parent; at !== null && !holders.has(at); at = at.parent) holders.add(at);

  function isAside(element: Element): boolean {
    if (element.tag === 'aside' || element.tag === 'nav' || isReply(element)) return true;
    if (element.tag === 'footer')
      return !hasAncestor(element, ({ tag }) => tag === 'article' || tag === 'main');
    if (element.tag === 'body' || element.tag === 'html' || holders.has(element)) return false;
    return hasAsideName(element);
  }
  const isInAside = (element: Element) => hasAncestor(element, isAside);
  const isSidebar = (element: Element) =>
    /^(?:div|section)$/.test(element.tag) && sidebarName.test(namesOf(element));
  return {
    isAside,
    isInAside,
    isInSidebar: (element) =>
      isInAside(element) && !hasAncestor(element, (each) => isAside(each) && !isSidebar(each)),
  };
}

/** Headings below the first level that say what the title says. */
function titleLines(tree: HtmlTree, title: string): Element[] {
  const folded = foldForComparison(title);
  if (folded === '') return [];
  return ['h2', 'h3'].flatMap((tag) =>
    (tree.byTag.get(tag) ?? []).filter((element) => foldsTo(shortText(element), folded)),
  );
}

const dateName =
  /date|posted|publi[sc]|timestamp|byline|datum|fecha|(?:^|[\s_-])(?:time|created|meta|info|submitted)(?:$|[\s_-])/i;
const label =
  /(?:published|posted|created|issued|released|veröffentlicht|erstellt|erschienen|datum|mitteilung vom|publié|publicado|pubblicato|publicerad|geplaatst|gepubliceerd|опубликован\p{L}*|дата|发布时间|发布于|发布日期|发表于|发表时间|发稿时间|日期|时间|時間|公開日|投稿日|掲載日|등록|입력|게시)(?:\s+(?:on|at|am|le|el|il|den|op))?\s*[:：]?\s*(?:\p{L}{2,12}[.,]{0,2}\s+){0,2}$/iu;
/** Chinese pages often call the only date that they show so. */
const updatedLabel = /(?:最后)?更新(?:时间|日期|于)?\s*[:：]?\s*$/u;
const nonContent = new Set(['script', 'style', 'noscript', 'select', 'svg', 'head', 'template']);
const maxNodes = 20_000;
const maxLine = 400;
/** A line next to the heading is its date only if it is short, or begins with the date. */
const maxDateLine = 60;
const dateFirst =
  /^\(?\s*(?:\d{1,2}[./]\s?\d{1,2}[./]\s?(?:\d{4}|\d{2}(?!\d))|\d{1,2}\.?\s+\p{L}{3,10}\s+\d{4}|\d{4}-\d\d-\d\d)(?!\d)/u;
const maxByline = 120;
/** `This article was first published on 3 May 2021`: sentences about the page itself, and about no other thing. */
const sentence = new RegExp(
  `(?:${[
    '(?:this|the) (?:article|post|page|story|text|entry|piece|interview|review|blog post|press release) (?:was|has been) (?:\\p{L}+ )?(?:published|posted) (?:\\p{L}+ )?(?:on|at)',
    'dies(?:er|e|es) (?:artikel|beitrag|text|interview|meldung|seite) (?:erschien|wurde)(?: \\p{L}+){0,2} am',
    'cet(?:te)? (?:article|page|billet|texte|entretien) a été (?:\\p{L}+ )?publiée? le',
    'est[ea] (?:artículo|artigo|texto|página|entrada|nota) (?:fue|se|foi) (?:\\p{L}+ )?public(?:ad[oa]|ó) (?:el|em)',
    'questo articolo è stato pubblicato il',
    '本文(?:最初|首)?(?:发表|发布|刊登|首发|原载)(?:于|於)?',
  ]
    .join('|')
    .replaceAll(' ', '\\s+')})\\s*([^;!?]{6,40})`,
  'iu',
);
const year = /(?:19|20)\d\d/;
const upToYear = /^.*?(?:(?:19|20)\d\d(?!\d)|\d{1,2}[./]\d{1,2}[./]\d\d(?!\d))(?:,?\s*\d{1,2}:\d\d\S*)?/;
const linesAfterHeading = 12;
const linesBeforeHeading = 4;

/** Visible dates, in document order, by the evidence that they are the page's. */
export function visibleDates({ root }: HtmlTree, title: string, { isAside }: AsideTest) {
  const dates = {
    byWords: [] as string[],
    byName: [] as string[],
    nextToTitle: [] as string[],
    nextToHeading: [] as string[],
    updated: [] as string[],
  };
  let datesAtHeading = dates.nextToHeading;
  const foldedTitle = foldForComparison(title);
  const hasDateName = createNamesTest(dateName);
  let nodes = 0;
  let lines = 0;
  let before = '';
  /** What stands before is made a line only where a date follows. */
  let textBefore: string | undefined;
  let linesLeft = 0;
  let dateAbove = { text: '', line: -linesBeforeHeading };

  function readText(raw: string): void {
    if (raw.length > maxLine) {
      readLong(raw);
      return;
    }
    const hasDigit = /\d/.test(raw);
    if (!hasDigit && !visible.test(raw) && oneLine(raw) === '') return;
    lines++;
    if (hasDigit) {
      const line = oneLine(raw);
      if (textBefore !== undefined) before = oneLine(textBefore).slice(-40);
      readSentence(line);
      readDated(line, line.search(/\d/));
      before = line.slice(-40);
      textBefore = undefined;
    } else textBefore = raw;
    linesLeft--;
  }
  function readLong(raw: string): void {
    if (linesLeft > 0 && dateFirst.test(raw.slice(0, maxDateLine).trim()))
      datesAtHeading.push(raw.slice(0, maxDateLine));
    readSentence(raw.slice(0, maxLine));
    readSentence(raw.slice(-maxLine));
  }
  function readSentence(text: string): void {
    const said = year.test(text) ? sentence.exec(text)?.[1] : undefined;
    if (said !== undefined) dates.byWords.push(said);
  }
  function readDated(line: string, digit: number): void {
    // What stands before an earlier date belongs to that one.
    const words = `${before} ${line.slice(0, digit)}`.replace(/^.*\d/, '');
    if (updatedLabel.test(words)) dates.updated.push(line.slice(digit));
    if (modified.test(words)) {
      // `Updated 14 March 2024 | Published 12 March 2024`
      const rest = line.slice(digit).replace(upToYear, '');
      const next = rest.search(/\d/);
      before = '';
      if (next >= 0 && rest.length < line.length - digit) readDated(rest, next);
      return;
    }
    if (label.test(words)) dates.byWords.push(`${words.slice(-15)}${line.slice(digit)}`);
    if (line.length > (beginsAsByline(line) ? maxByline : maxDateLine) && !dateFirst.test(line)) return;
    if (linesLeft > 0) datesAtHeading.push(line.slice(0, maxByline));
    else if (parseDate(line) !== undefined) dateAbove = { text: line, line: lines };
  }
  function passHeading(isTitle: boolean): void {
    datesAtHeading = isTitle ? dates.nextToTitle : dates.nextToHeading;
    if (lines - dateAbove.line < linesBeforeHeading) datesAtHeading.push(dateAbove.text);
    linesLeft = linesAfterHeading;
  }
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one walk with a test for each place of a date
  (function visit(element: Element): void {
    for (const child of element.children) {
      if (++nodes > maxNodes) return;
      if (typeof child === 'string') {
        readText(child);
        continue;
      }
      if (nonContent.has(child.tag) || isAside(child)) continue;
      if (hasDateName(child) && !isModified(child)) {
        const text = shortText(child);
        if (/\d/.test(text) && !modified.test(text.slice(0, 30))) dates.byName.push(text);
      }
      const isTitle =
        (titleTags.has(child.tag) || isLine(child, foldedTitle)) && foldsTo(shortText(child), foldedTitle);
      const linesAbove = lines;
      visit(child);
      if (child.tag !== 'h1' && !isTitle) continue;
      lines = linesAbove;
      passHeading(isTitle);
    }
  })(root);
  return dates;
}

/** A character that makes a text more than white space. */
const visible = /[!-~]/;
/** The headings that may be the title. */
export const titleTags: ReadonlySet<string> = new Set(['h1', 'h2', 'h3', 'h4']);
/** On old pages the title is a line in bold or in a cell of its own. */
function isLine({ tag, children }: Element, foldedTitle: string): boolean {
  const [only] = children;
  return (
    children.length === 1 &&
    typeof only === 'string' &&
    lineTags.has(tag) &&
    (foldedTitle === '' || mayFoldTo(only, foldedTitle))
  );
}
const lineTags = new Set(['b', 'strong', 'font', 'td', 'div', 'p', 'center']);
const maxShortText = 160;

/** The text of an element if it is short, otherwise an empty one; visits only as many nodes as that needs. */
export function shortText(element: Element): string {
  let text = '';
  let nodes = 0;
  (function visit(current: Element): void {
    for (const child of current.children) {
      if (text.length > maxShortText || ++nodes > maxShortText) return;
      if (typeof child !== 'string') visit(child);
      else if (child.length > maxLine) nodes = maxShortText;
      else text += ` ${child.trim()}`;
    }
  })(element);
  return text.length > maxShortText || nodes > maxShortText ? '' : oneLine(text);
}
