import { oneLine } from './clean-text.ts';
import { parseDate } from './dates.ts';
import { type Element, type HtmlTree, hasAncestor } from './tree.ts';

interface PublishedSources {
  readonly tree: HtmlTree;
  readonly linkedDate: string | null;
  readonly meta: (name: string) => string | null;
  readonly lang: string | null;
  readonly now: number;
}

const metaNames =
  `article:published_time og:article:published_time og:published_time article:published rnews:datepublished datepublished
  publish_date publish-date publishdate publish_time published_time published-date published_at publication_date
  publication-date pubdate pub_date pubtime parsely-pub-date sailthru.date cxenseparse:recs:publishtime article_date_original
  originalpublicationdate dateposted citation_publication_date citation_online_date dc.date.issued dcterms.issued dc.issued
  dcterms.created dc.date.created dc.created dcterms.date dc.date bt:pubdate weibo:article:create_at mediator_published_time
  displaydate apub:time creation_date date.created date_created datecreated date`.split(/\s+/);

const oldest = Date.UTC(1990, 0, 1);

/**
 * When the page was published, from the most to the least reliable source: JSON-LD, meta, microdata, `<time>`, text that
 * a class or the words before it call a date, a date on a line of its own beside the heading. Never the date of a change,
 * of the future or from before 1990. Epoch milliseconds; a day alone is midnight UTC.
 */
export function publishedAt(sources: PublishedSources): number | null {
  const monthFirst = /^en(?:$|[-_](?:us|ph))/i.test(sources.lang ?? 'en');
  for (const text of datedTexts(sources)) {
    const date = parseDate(text, monthFirst);
    if (date !== undefined && date >= oldest && date <= sources.now) return date;
  }
  return null;
}

function* datedTexts({ tree, linkedDate, meta }: PublishedSources): Generator<string> {
  if (linkedDate !== null) yield linkedDate;
  for (const name of metaNames) {
    const content = meta(name);
    if (content !== null) yield content;
  }
  for (const property of ['datePublished', 'dateCreated', 'uploadDate']) {
    for (const element of tree.annotated) {
      if (element.attributes.itemprop?.split(/\s+/).includes(property)) yield dateOf(element);
    }
  }
  const times = (tree.byTag.get('time') ?? [])
    .slice(0, maxTimes)
    .filter((time) => !isModified(time) && !isInAside(time));
  for (const time of times) if (time.attributes.pubdate !== undefined || isLabelled(time)) yield dateOf(time);
  for (const time of times) if (hasAncestor(time, isArticle)) yield dateOf(time);
  const visible = visibleDates(tree.root);
  yield* visible.byWords;
  yield* visible.byName;
  for (const time of times) yield dateOf(time);
  yield* visible.besideHeading;
}

const maxTimes = 200;

function dateOf(element: Element): string {
  const { content, datetime, title } = element.attributes;
  return (
    content ??
    datetime ??
    (title !== undefined && parseDate(title) !== undefined ? title : shortText(element))
  );
}

const modified =
  /modif|updat|edited|revis|changed|aktualisiert|geändert|mis à jour|actualizad|更新|修改|수정/i;
const published =
  /publi[sc]|posted|pubdate|pub-date|entry-date|post-date|postdate|article-date|articledate|created|dateline/i;

const namesOf = ({ attributes }: Element) =>
  `${attributes.class ?? ''} ${attributes.id ?? ''} ${attributes.itemprop ?? ''}`;
const isArticle = ({ tag }: Element) => tag === 'article' || tag === 'main';

function isModified(element: Element): boolean {
  const names = namesOf(element);
  if (published.test(names)) return false;
  return modified.test(names) || (element.parent !== null && modified.test(namesOf(element.parent)));
}

function isLabelled(element: Element): boolean {
  return (
    published.test(namesOf(element)) || (element.parent !== null && published.test(namesOf(element.parent)))
  );
}

const asideName =
  /(?<!(?:with|has|no)[_-])(?:^|[\s_-])(?:comments?|comment-?list|related|recommend\w*|sidebar|footer|popular|latest|recent|teasers?|copyright|carousel)(?:$|[\s_-])/i;

function isAside(element: Element): boolean {
  if (element.tag === 'aside' || element.tag === 'nav') return true;
  if (element.tag === 'footer') return !hasAncestor(element, isArticle);
  return element.tag !== 'body' && element.tag !== 'html' && asideName.test(namesOf(element));
}

const isInAside = (element: Element) => hasAncestor(element, isAside);

const dateName =
  /date|posted|publi[sc]|timestamp|byline|datum|fecha|(?:^|[\s_-])(?:time|created|meta|info|submitted)(?:$|[\s_-])/i;
const label =
  /(?:published|posted|created|issued|released|veröffentlicht|erstellt|erschienen|publié|publicado|pubblicato|publicerad|geplaatst|gepubliceerd|опубликован\p{L}*|дата|发布时间|发布于|发布日期|发表于|发表时间|发稿时间|日期|时间|時間|公開日|投稿日|掲載日|등록|입력|게시)(?:\s+(?:on|at|am|le|el|il|den|op))?\s*[:：]?\s*(?:\p{L}{2,12}[.,]{0,2}\s+){0,2}$/iu;
const unread = /^(?:script|style|noscript|select|svg|head|template)$/;
const maxNodes = 20_000;
const maxLine = 400;
/** A line beside the heading is its date only if it says little else. */
const maxDateLine = 60;
const linesAfterHeading = 12;

/** Dates that readers see, in document order, by what shows that they are the page's. */
function visibleDates(root: Element) {
  const found = { byWords: [] as string[], byName: [] as string[], besideHeading: [] as string[] };
  let nodes = 0;
  let before = '';
  let linesLeft = 0;

  function readText(raw: string): void {
    const line = raw.length > maxLine ? '' : oneLine(raw);
    if (line === '') return;
    const digit = line.search(/\d/);
    if (digit >= 0) {
      const words = `${before} ${line.slice(0, digit)}`;
      if (label.test(words) && !modified.test(words))
        found.byWords.push(`${words.slice(-15)}${line.slice(digit)}`);
      if (linesLeft > 0 && line.length <= maxDateLine && !modified.test(words))
        found.besideHeading.push(line);
    }
    linesLeft--;
    before = line.slice(-40);
  }
  (function visit(element: Element): void {
    for (const child of element.children) {
      if (++nodes > maxNodes) return;
      if (typeof child === 'string') {
        readText(child);
        continue;
      }
      if (unread.test(child.tag) || isAside(child)) continue;
      const names = namesOf(child);
      if (dateName.test(names) && !isModified(child)) {
        const text = shortText(child);
        if (/\d/.test(text) && !modified.test(text.slice(0, 30))) found.byName.push(text);
      }
      visit(child);
      if (child.tag === 'h1') linesLeft = linesAfterHeading;
    }
  })(root);
  return found;
}

const maxShortText = 160;

/** The text of an element if it is short, else nothing; looks at no more nodes than that takes. */
function shortText(element: Element): string {
  let text = '';
  let nodes = 0;
  (function visit(at: Element): void {
    for (const child of at.children) {
      if (text.length > maxShortText || ++nodes > maxShortText) return;
      if (typeof child !== 'string') visit(child);
      else if (child.length > maxLine) nodes = maxShortText;
      else text += ` ${child.trim()}`;
    }
  })(element);
  return text.length > maxShortText || nodes > maxShortText ? '' : oneLine(text);
}
