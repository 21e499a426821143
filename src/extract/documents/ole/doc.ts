import type { Reading } from '../../extracted.ts';
import { decodeCodePage } from '../code-page.ts';
import { readingOf } from '../properties.ts';
import { RefusedDocument } from '../refused.ts';
import { createStructuredText } from '../structured-text.ts';
import { readDocParagraphs } from './doc-paragraphs.ts';
import { readDocPieces } from './doc-pieces.ts';
import { writeDocText } from './doc-text.ts';
import type { OleFile } from './ole.ts';
import { oleProperties } from './ole-properties.ts';

const signature = 0xa5ec;
const oldSignature = 0xa5dc;
/** `nFib` of Word 97; older files have another header and one byte a character; their styles are not read. */
const word97 = 193;

/**
 * Reads a Word binary document ([MS-DOC]): the body, then footnotes, endnotes and text boxes, without page headers, footers
 * and comments. Headings, items and tables from Word 97 on; plain paragraphs of Word 6 and 95.
 */
export function readDoc(file: OleFile, page: { readonly url: string; readonly now: number }): Reading {
  const main = file.read('WordDocument');
  const mark = main !== undefined && main.length >= 0x60 ? main.readUInt16LE(0) : 0;
  if (main === undefined || (mark !== signature && mark !== oldSignature))
    throw new RefusedDocument('damaged file');
  const flags = main.readUInt16LE(0x0a);
  if ((flags & 0x0100) !== 0) throw new RefusedDocument('encrypted');
  const text = createStructuredText();
  if (main.readUInt16LE(2) < word97) writeOldText(main, text);
  else {
    const table = file.read((flags & 0x0200) === 0 ? '0Table' : '1Table');
    if (table === undefined || main.length < 0x1aa) throw new RefusedDocument('damaged file');
    const paragraphs = readDocParagraphs(main, table);
    for (const pieces of readDocPieces(main, table)) writeDocText(pieces, paragraphs, text);
  }
  return readingOf(text.finish(), oleProperties(file), { ...page, fileType: 'doc' });
}

function writeOldText(main: Buffer, out: ReturnType<typeof createStructuredText>): void {
  const from = main.readUInt32LE(0x18);
  const until = main.readUInt32LE(0x1c);
  if (from >= until || until > main.length) throw new RefusedDocument('damaged file');
  const text = decodeCodePage(main.subarray(from, until), 1252);
  writeDocText([{ text, offset: from, bytesPerCharacter: 1 }], { paragraphAt: () => undefined }, out);
}
