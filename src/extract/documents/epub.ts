import { foldForComparison } from '../../text/line/fold-for-comparison.ts';
import type { Reading } from '../extracted.ts';
import { readHtml } from '../html.ts';
import { parseDate } from '../metadata/dates.ts';
import { partText, simpleFields } from './openxml/opc.ts';
import { readingOf } from './properties.ts';
import { RefusedDocument } from './refused.ts';
import { createStructuredText } from './structured-text.ts';
import { walkXml } from './xml.ts';
import type { ZipArchive } from './zip.ts';

/** Encryption of fonts only (EPUB 3.3, 4.2.6.3; Adobe's older method); any other encryption locks the text. */
const fontScrambling = /idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC/;

/** Reads a book (EPUB 3.3, OCF and package document): its chapters in the order of the spine, each like an HTML page. */
export function readEpub(zip: ZipArchive, page: { readonly url: string; readonly now: number }): Reading {
  if (isLocked(partText(zip, 'META-INF/encryption.xml'))) throw new RefusedDocument('encrypted');
  const packageName = rootFile(partText(zip, 'META-INF/container.xml'));
  if (packageName === undefined || !zip.has(packageName)) throw new RefusedDocument('damaged file');
  const source = partText(zip, packageName);
  const fields = simpleFields(source);
  const text = createStructuredText();
  const base = new URL(packageName, 'epub:///');
  for (const reference of spine(source)) {
    if (text.isFull()) break;
    const name = decodeURIComponent(new URL(reference, base).pathname).replace(/^\/+/, '');
    const chapter = partText(zip, name);
    if (chapter === '') continue;
    const reading = readHtml(chapter, { url: page.url, now: page.now, xml: true });
    const headings = new Set(reading.headings.split('\n'));
    // The text of a page leaves out its title, which is the name of the chapter here.
    if (isChapterTitle(reading, name, fields.get('title'))) text.heading(reading.title);
    for (const line of reading.body.split('\n')) {
      const clean = line.trim();
      if (headings.has(clean)) text.heading(clean);
      else if (/^\s*- /.test(line)) text.item(clean.slice(2), (line.length - line.trimStart().length) >> 1);
      else if (line.includes('\t')) text.row(line.split('\t'));
      else text.paragraph(line);
    }
  }
  const created = parseDate(fields.get('date') ?? '');
  return readingOf(
    text.finish(),
    {
      title: fields.get('title'),
      author: fields.get('creator'),
      description: fields.get('description')?.replace(/<[^>]{0,500}>/g, ' '),
      lang: fields.get('language'),
      created,
    },
    { ...page, fileType: 'epub' },
  );
}

/** Whether the title of a chapter's page names the chapter: not the book, not the file. */
function isChapterTitle({ title, body }: Reading, name: string, book = ''): boolean {
  const folded = foldForComparison(title);
  return (
    folded !== '' &&
    folded !== foldForComparison(book) &&
    !name.endsWith(title) &&
    !foldForComparison(body.slice(0, title.length * 2)).startsWith(folded)
  );
}

function isLocked(xml: string): boolean {
  let locked = false;
  walkXml(xml, {
    open(name, { Algorithm = '' }) {
      if (name === 'EncryptionMethod' && !fontScrambling.test(Algorithm)) locked = true;
    },
  });
  return locked;
}

function rootFile(xml: string): string | undefined {
  let path: string | undefined;
  walkXml(xml, {
    open(name, attributes) {
      if (name === 'rootfile') path ??= attributes['full-path'];
    },
  });
  return path;
}

/** References of the chapters, in reading order, without the table of contents for navigation. */
function spine(xml: string): string[] {
  const manifest = new Map<string, string>();
  const order: string[] = [];
  walkXml(xml, {
    open(name, { id, href, idref, properties = '', linear, 'media-type': type = '' }) {
      if (name === 'item' && id !== undefined && href !== undefined && /html|xml/.test(type)) {
        if (!/(?:^|\s)nav(?:\s|$)/.test(properties)) manifest.set(id, href);
      } else if (name === 'itemref' && idref !== undefined && linear !== 'no') order.push(idref);
    },
  });
  return [...new Set(order)].flatMap((id) => manifest.get(id) ?? []);
}
