import { crc32 } from 'node:zlib';
import type { Page, PageHead } from '../../page.ts';
import { type StoredBeginning, storedBeginningOf } from './beginnings.ts';

/** What is stored of a page under its id: everything but the text. */
export interface StoredHead extends PageHead {
  /** CRC-32 of the head and of the text; absent for a page that was stored before there were checksums. */
  readonly check?: readonly [head: number, text: number];
}

/** The text of a page as it is stored. */
export interface StoredText {
  readonly headings: string;
  readonly body: string;
}

/** The beginning of a long text as it is stored. */
export interface SealedBeginning extends StoredBeginning {
  /** CRC-32 of the beginning and of the checksum of its text; absent where the page has none. */
  readonly check?: number;
}

/** All fields that a head without a checksum may have. One with other fields is damaged. */
const fields = [
  'id',
  'url',
  'title',
  'description',
  'siteName',
  'author',
  'publishedAt',
  'crawledAt',
  'lang',
  'fileType',
  'wordCount',
  'copyOf',
  'isHidden',
] as const satisfies readonly (keyof PageHead)[];
/**
 * Fields that came after there were checksums. One that is absent adds nothing, so that heads that were stored before
 * keep their checksums; each that is there comes with its name.
 */
const laterFields = [
  'otherTitles',
  'linkShare',
  'isPrivate',
  'publishedDay',
] as const satisfies readonly (keyof PageHead)[];
const knownFields: ReadonlySet<string> = new Set([...fields, ...laterFields]);

/** A page in the two parts in which it is stored, with their checksums. Lone surrogates, which UTF-8 cannot hold, go. */
export function sealPage(page: Page): { head: StoredHead; text: StoredText } {
  const { headings, body, structure, ...bare } = page;
  const text = { headings: headings.toWellFormed(), body: body.toWellFormed() };
  return { head: sealHead(bare, textChecksum(bare.id, text)), text };
}

/** A head over a text that has this checksum; undefined for one that was stored without. */
export function sealHead(bare: PageHead, text: number | undefined): StoredHead {
  const { check, ...rest } = bare as StoredHead;
  const head = wellFormed(rest);
  return text === undefined ? head : { ...head, check: [headChecksum(head, text), text] };
}

/** The head that was stored under an id, without its checksum; undefined when it is damaged. */
export function openHead(id: string, stored: StoredHead): PageHead | undefined {
  if (typeof stored !== 'object' || stored === null || stored.id !== id) return undefined;
  const { check, ...head } = stored;
  if (check === undefined) return isPlausible(head) ? head : undefined;
  return headChecksum(head, check[1]) === check[0] ? typedHead(head) : undefined;
}

/**
 * A head that has the checksum of what was stored; undefined when a value is of another type all the same. The checksum
 * takes a missing value for an empty one. A field whose name is damaged, which LMDB keeps once for all heads, is
 * missing, and was empty then.
 */
function typedHead(head: PageHead): PageHead | undefined {
  if (isTyped(head)) return head;
  const known = Object.entries(head).filter(([field]) => knownFields.has(field));
  const filled = {
    description: '',
    siteName: null,
    author: null,
    publishedAt: null,
    ...Object.fromEntries(known),
  };
  return isTyped(filled as PageHead) ? (filled as PageHead) : undefined;
}

function isTyped(head: PageHead): boolean {
  const {
    url,
    title,
    description,
    siteName,
    author,
    lang,
    fileType,
    publishedAt,
    crawledAt,
    wordCount,
    isPrivate,
    publishedDay,
  } = head;
  return (
    [url, title, description, lang, fileType].every((text) => typeof text === 'string') &&
    (siteName === null || typeof siteName === 'string') &&
    (author === null || typeof author === 'string') &&
    (publishedAt === null || isTime(publishedAt)) &&
    isTime(crawledAt) &&
    typeof wordCount === 'number' &&
    (isPrivate === undefined || typeof isPrivate === 'boolean') &&
    (publishedDay === undefined || typeof publishedDay === 'string')
  );
}

/** Epoch milliseconds that a date can have. */
function isTime(time: unknown): boolean {
  return typeof time === 'number' && Math.abs(time) <= 8.64e15;
}

/** Whether a text is the one that was stored with this head. */
export function isTextOf({ id, check }: StoredHead, text: StoredText): boolean {
  if (typeof text?.body !== 'string' || typeof text.headings !== 'string') return false;
  return check === undefined || textChecksum(id, text) === check[1];
}

/** The beginning of a long text, to be stored separately; undefined for other texts. */
export function sealBeginning(head: StoredHead, text: StoredText): SealedBeginning | undefined {
  const stored = storedBeginningOf({ ...head, ...text });
  if (!stored) return undefined;
  // It may begin inside a character.
  const beginning = { ...stored, ending: stored.ending.toWellFormed() };
  return head.check ? { ...beginning, check: beginningChecksum(beginning, head.check[1]) } : beginning;
}

/** Whether a beginning is the one that was stored with this head. */
export function isBeginningOf({ check }: StoredHead, beginning: SealedBeginning): boolean {
  return check === undefined || beginning.check === beginningChecksum(beginning, check[1]);
}

function beginningChecksum({ headings, body, bodyLength, ending }: StoredBeginning, text: number): number {
  return crc32(body, crc32(`${text}\0${bodyLength}\0${ending}\0${headings}\0`));
}

/** The id is in it, so that the text of another page has another one. */
function textChecksum(id: string, { headings, body }: StoredText): number {
  return crc32(body, crc32(`${id}\0${headings.length}\0${headings}\0`));
}

function headChecksum(head: PageHead, text: number): number {
  let line = `${text}`;
  for (const field of fields) line += `\0${head[field] ?? ''}`;
  for (const field of laterFields) {
    const value = head[field];
    if (value !== undefined) line += `\0${field}\0${value}`;
  }
  return crc32(line);
}

function isPlausible(head: PageHead): boolean {
  return (
    typeof head.url === 'string' &&
    typeof head.title === 'string' &&
    Object.keys(head).every((field) => knownFields.has(field))
  );
}

function wellFormed(head: PageHead): PageHead {
  const { url, title, otherTitles, description, siteName, author } = head;
  const strings = { url, title, otherTitles, description, siteName, author };
  if (Object.values(strings).every((text) => text === null || text === undefined || text.isWellFormed()))
    return head;
  return {
    ...head,
    url: url.toWellFormed(),
    title: title.toWellFormed(),
    ...(otherTitles !== undefined && { otherTitles: otherTitles.toWellFormed() }),
    description: description.toWellFormed(),
    siteName: siteName?.toWellFormed() ?? null,
    author: author?.toWellFormed() ?? null,
  };
}
