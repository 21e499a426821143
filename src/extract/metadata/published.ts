import { type Element, type HtmlTree, hasAncestor } from '../main-text/tree.ts';
import { parseDate, readDate, type WrittenDate } from './dates.ts';
import { isOfReply } from './replies.ts';
import {
  type AsideTest,
  createAsideTest,
  isModified,
  isPublished,
  shortText,
  visibleDates,
} from './visible-dates.ts';

interface PublishedSources {
  readonly tree: HtmlTree;
  readonly url: string;
  readonly title: string;
  readonly linkedDate: string | null;
  readonly meta: (name: string) => string | null;
  readonly lang: string | null;
  readonly now: number;
}

export interface Published {
  /** Epoch milliseconds; a day without a time is midnight UTC. */
  readonly time: number;
  /** The day where the page is, `YYYY-MM-DD`. */
  readonly day: string;
  /** The source of the date. */
  readonly from: string;
  readonly text: string;
}

/** `isClear`: named by a vocabulary, so that even a date from before the web counts. */
interface DatedText {
  readonly from: string;
  readonly text: string;
  readonly isClear?: boolean;
}

const metaNames =
  `article:published_time og:article:published_time og:published_time article:published rnews:datepublished datepublished
  publish_date publish-date publishdate publish_time published_time published-date published_at publication_date
  publication-date pubdate pub_date pubtime parsely-pub-date sailthru.date cxenseparse:recs:publishtime article_date_original
  originalpublicationdate dateposted citation_publication_date citation_online_date dc.date.issued dcterms.issued dc.issued
  dcterms.created dc.date.created dc.created bt:pubdate weibo:article:create_at mediator_published_time
  displaydate apub:time`.split(/\s+/);

/** Any date of the page or of its file: used only without a marked day of publication. */
const vagueMetaNames = 'dcterms.date dc.date date creation_date date.created date_created datecreated'.split(
  ' ',
);

/** Earlier dates are errors of templates, unless a vocabulary names them. */
const webBegan = Date.UTC(1990, 0, 1);
const day = 24 * 3600 * 1000;
/** The date of an unset timestamp, in any time zone. */
const isUnset = (date: number) => Math.abs(date) <= day;

/**
 * The date of publication, from the most reliable source: JSON-LD, meta, microdata, `<time>`, text after words for a
 * date, a line of its own next to the heading, text with a class for a date, the URL's path. Never a date of modification
 * or in the future; before 1990 only if a vocabulary names it.
 */
export function publicationOf(sources: PublishedSources): Published | null {
  const monthFirst = /^en(?:$|[-_](?:us|ph))/i.test(sources.lang ?? 'en');
  const aside = createAsideTest(sources.tree, sources.title);
  const times = timesOf(sources.tree, aside);
  const declared = usable(declaredDates(sources, times), sources.now, monthFirst);
  const shown = usable(shownDates(sources, times, aside), sources.now, monthFirst);
  const certain = declared.next().value;
  const first = certain ?? shown.next().value;
  if (first === undefined) return null;
  const { date, from, text } = (certain && disputed(certain, declared, shown)) ?? first;
  return { time: date.time, day: localDay(date, sources.url), from, text };
}

interface Dated extends DatedText {
  readonly date: WrittenDate;
}

function* usable(texts: Iterable<DatedText>, now: number, monthFirst: boolean): Generator<Dated, undefined> {
  for (const dated of texts) {
    const date = readDate(dated.text, monthFirst);
    if (date === undefined || date.time > now || isUnset(date.time)) continue;
    if (date.time >= webBegan || dated.isClear === true) yield { ...dated, date };
  }
}

/**
 * Where one vocabulary says another day than the next source does, two more that agree on that day outvote it: systems
 * declare when a page was planned, and show when it was published. Undefined when no source disagrees.
 */
function disputed(
  first: Dated,
  declared: Iterator<Dated, undefined>,
  shown: Iterator<Dated, undefined>,
): Dated | undefined {
  if (first.isClear !== true) return undefined;
  const second = declared.next().value;
  if (second === undefined || isSameDay(first.date, second.date)) return undefined;
  let votes = 1;
  for (let looked = 0; looked < maxVotes; looked++) {
    const next = declared.next().value ?? shown.next().value;
    if (next === undefined || isSameDay(first.date, next.date)) return undefined;
    if (next.from !== second.from && isSameDay(second.date, next.date) && ++votes === enoughVotes)
      return second;
  }
  return undefined;
}

const maxVotes = 6;
const enoughVotes = 3;
/** Two offsets from UTC lie at most so far apart. */
const isSameDay = (a: WrittenDate, b: WrittenDate) => Math.abs(a.time - b.time) < 1.5 * day;

/** The day as it is written, or as the URL's path says it where the time is one of UTC. */
function localDay({ time, day: written }: WrittenDate, url: string): string {
  const inUtc = new Date(time).toISOString();
  const said = dayInPath(url);
  if (said === undefined || said === written || written !== inUtc.slice(0, 10) || isMidnight(time))
    return written;
  const fromMidnight = time - Date.parse(said);
  return fromMidnight >= -maxEast && fromMidnight < day + maxWest ? said : written;
}

const isMidnight = (time: number) => time % day === 0;
/** The farthest offsets from UTC: 14 hours to the east, 12 to the west. */
const maxEast = 14 * 3600 * 1000;
const maxWest = 12 * 3600 * 1000;

/** What vocabularies declare, and times that are marked as the page's. */
function* declaredDates(
  { tree, linkedDate, meta }: PublishedSources,
  times: readonly TimedText[],
): Generator<DatedText> {
  if (linkedDate !== null) yield { from: 'JSON-LD', text: linkedDate, isClear: true };
  for (const name of metaNames) {
    const text = meta(name);
    if (text !== null) yield { from: `meta ${name}`, text, isClear: true };
  }
  for (const property of ['datePublished', 'dateCreated', 'uploadDate']) {
    for (const element of tree.annotated) {
      if (element.attributes.itemprop?.split(/\s+/).includes(property) && !isOfReply(element))
        yield { from: `itemprop ${property}`, text: dateOf(element), isClear: true };
    }
  }
  yield* times.filter(({ time }) => time.attributes.pubdate !== undefined || isPublished(time));
  yield* times.filter(({ time }) => hasAncestor(time, isArticle));
}

interface TimedText extends DatedText {
  readonly time: Element;
}

const timesOf = (tree: HtmlTree, aside: AsideTest): TimedText[] =>
  (tree.byTag.get('time') ?? [])
    .slice(0, maxTimes)
    .filter((time) => !isModified(time) && !aside.isInAside(time))
    .map((time) => ({ time, from: 'time', text: dateOf(time) }));

/** What the page shows, by a walk through it, and its address. */
function* shownDates(
  { tree, url, title, meta }: PublishedSources,
  times: readonly TimedText[],
  aside: AsideTest,
): Generator<DatedText> {
  const visible = visibleDates(tree, title, aside);
  for (const text of visible.byWords) yield { from: 'text called a date by the words before it', text };
  for (const text of visible.nextToTitle) yield { from: 'text next to the title', text };
  for (const name of vagueMetaNames) {
    const text = meta(name);
    if (text !== null) yield { from: `meta ${name}`, text };
  }
  for (const text of visible.byName) yield { from: 'text called a date by its class', text };
  yield* times;
  for (const text of visible.nextToHeading) yield { from: 'text next to a heading', text };
  const inPath = dayInPath(url);
  if (inPath !== undefined) yield { from: 'URL', text: inPath };
  for (const text of visible.updated) yield { from: 'text called an update by the words before it', text };
}

/** A complete date in the path: `/2024/03/05/`, `/2024-03-05-`. */
const pathDate =
  /^https?:\/\/[^/?#]+\/(?:[^?#]*[/_-])?(?<year>(?:19|20)\d\d)([/-])(?<month>0?[1-9]|1[0-2])\2(?<date>0?[1-9]|[12]\d|3[01])(?=[/_?#-]|$)/;

function dayInPath(url: string): string | undefined {
  const { year, month = '', date = '' } = pathDate.exec(url)?.groups ?? {};
  return year === undefined ? undefined : `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
}

const maxTimes = 200;
const isArticle = ({ tag }: Element) => tag === 'article' || tag === 'main';

function dateOf(element: Element): string {
  const { content, datetime, title } = element.attributes;
  return (
    content ??
    datetime ??
    (title !== undefined && parseDate(title) !== undefined ? title : shortText(element))
  );
}
