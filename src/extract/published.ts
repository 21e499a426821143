import { oneLine } from './clean-text.ts';
import { parseDate } from './dates.ts';
import type { Element, HtmlTree } from './tree.ts';
import { hasAncestor } from './tree.ts';

interface PublishedSources {
  readonly tree: HtmlTree;
  readonly linkedDate: string | null;
  meta(name: string): string | null;
  readonly lang: string | null;
  readonly now: number;
}

const metaNames =
  `article:published_time og:article:published_time og:published_time article:published rnews:datepublished datepublished
  publish_date publish-date publishdate published_time published-date published_at publication_date publication-date pubdate pub_date
  parsely-pub-date sailthru.date cxenseparse:recs:publishtime article_date_original originalpublicationdate dateposted
  citation_publication_date citation_online_date dc.date.issued dcterms.issued dc.issued dcterms.created dc.date.created dc.created
  dcterms.date dc.date bt:pubdate weibo:article:create_at mediator_published_time displaydate lastmod-original
  ptime apub:time creation_date date.created date_created datecreated date`.split(/\s+/);

const oldest = Date.UTC(1990, 0, 1);
/** Clocks and time zones differ, and a date-only value is midnight UTC: a day ahead is not yet the future. */
const tolerance = 24 * 3600 * 1000;

/**
 * When the page was published, from the most to the least reliable source: JSON-LD, meta, microdata, `<time>`, then text
 * that is labelled as the date by its class or its words. Never the date of a change, of the future or from before 1990.
 */
export function publishedAt(sources: PublishedSources): number | null {
  const monthFirst = /^en(?:$|-us|-ph|_us)/i.test(sources.lang ?? 'en');
  for (const text of datedTexts(sources)) {
    const date = parseDate(text, monthFirst);
    if (date !== undefined && date >= oldest && date <= sources.now + tolerance)
      return Math.min(date, sources.now);
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
  const times = (tree.byTag.get('time') ?? []).filter((time) => !isAside(time) && !isModified(time));
  for (const time of times) if (time.attributes.pubdate !== undefined || isLabelled(time)) yield dateOf(time);
  for (const time of times) if (hasAncestor(time, isArticle)) yield dateOf(time);
  yield* labelledTexts(tree.root);
  for (const time of times) yield dateOf(time);
}

function dateOf(element: Element): string {
  const { content, datetime } = element.attributes;
  return content ?? datetime ?? shortText(element);
}

const modified = /modif|updat|edited|revis|chang|更新|修改/i;
const published =
  /publish|posted|pubdate|pub-date|entry-date|post-date|postdate|article-date|articledate|created|date-created|dateline|datum|fecha/i;

const namesOf = ({ attributes }: Element) =>
  `${attributes.class ?? ''} ${attributes.id ?? ''} ${attributes.itemprop ?? ''}`;
const isModified = (element: Element) =>
  modified.test(namesOf(element)) ||
  (element.parent !== null && modified.test(namesOf(element.parent)) && !published.test(namesOf(element)));
const isLabelled = (element: Element) =>
  published.test(namesOf(element)) || (element.parent !== null && published.test(namesOf(element.parent)));
const isArticle = ({ tag }: Element) => tag === 'article' || tag === 'main';
const asideName =
  /comment|related|recommend|sidebar|widget|footer|popular|latest|recent|teaser|card|carousel|copyright/i;
const isAside = (element: Element) =>
  hasAncestor(
    element,
    (at) =>
      /^(?:aside|footer|nav)$/.test(at.tag) ||
      (at.tag !== 'body' && at.tag !== 'html' && asideName.test(namesOf(at))),
  );

const dateName =
  /(?:^|[\s_-])(?:date|time|timestamp|datetime|published|publish|posted|pub|byline|dateline|meta|postmeta|info|datum|fecha|created)(?:$|[\s_-])|date|posted|publi/i;
const labelWords =
  /(?:published|posted|created|first published|veröffentlicht|erstellt|publié|publicado|pubblicato|publicerad|geplaatst|gepubliceerd|опубликовано|дата|发布时间|发布于|发布日期|发表于|发表时间|发稿时间|日期|时间|時間|公開日|投稿日|掲載日|등록|입력|게시)(?:\s+(?:on|at|am|le|el|il|den|op))?\s*[:：]?\s*$/i;
const maxLooked = 20_000;

/** Short texts that a class or the words before them call a date, in document order; asides and changes left out. */
function labelledTexts(root: Element): string[] {
  const byName: string[] = [];
  const byWords: string[] = [];
  let looked = 0;
  (function visit(element: Element, label: string): void {
    let before = label;
    for (const child of element.children) {
      if (++looked > maxLooked) return;
      if (typeof child === 'string') {
        const line = child.length > 400 ? '' : oneLine(child);
        if (line === '') continue;
        const words = `${before} ${line}`;
        const digit = words.search(/\d/);
        if (
          digit >= 0 &&
          labelWords.test(words.slice(0, digit).replace(/\p{L}{3,12}\.?\s*$/u, '')) &&
          !modified.test(words)
        )
          byWords.push(words.slice(digit > 20 ? digit - 20 : 0));
        else if (digit >= 0 && labelWords.test(words.slice(0, digit)) && !modified.test(words))
          byWords.push(words.slice(digit));
        before = line.slice(-60);
        continue;
      }
      if (/^(?:script|style|nav|footer|aside|noscript|select|svg|head)$/.test(child.tag)) continue;
      const names = namesOf(child);
      if (child.tag !== 'body' && asideName.test(names)) continue;
      if (dateName.test(names) && !modified.test(names)) {
        const text = shortText(child);
        if (/\d/.test(text) && !/^\s*(?:last\s+)?(?:updated|modified|edited)/i.test(text)) byName.push(text);
      }
      visit(child, before);
    }
  })(root, '');
  return [...byWords, ...byName];
}

const maxShortText = 160;

/** The text of an element if it is short, else nothing; looks at no more nodes than that takes. */
function shortText(element: Element): string {
  let text = '';
  let nodes = 0;
  (function visit(at: Element): void {
    for (const child of at.children) {
      if (text.length > maxShortText || ++nodes > maxShortText) return;
      if (typeof child === 'string')
        text += child.length > 400 ? ' '.repeat(0) + child.trim().slice(0, 400) : ` ${child.trim()}`;
      else visit(child);
    }
  })(element);
  return text.length > maxShortText || nodes > maxShortText ? '' : oneLine(text);
}
