import type { Reading } from '../../extracted.ts';
import { readingOf } from '../properties.ts';
import { createStructuredText } from '../structured-text.ts';
import type { ZipArchive } from '../zip.ts';
import { writeFigures } from './chart.ts';
import { coreProperties, mainPart, partText, relationshipsOf } from './opc.ts';
import { readWordNumbering } from './word-numbering.ts';
import { readWordStyles } from './word-styles.ts';
import { writeWordText } from './word-text.ts';

/**
 * Reads a word-processing package (ECMA-376 part 1, 17): the body with its text boxes, then footnotes and endnotes, then
 * the text of its diagrams and charts, without page headers and footers, comments, deleted and hidden text.
 */
export function readDocx(zip: ZipArchive, page: { readonly url: string; readonly now: number }): Reading {
  const part = mainPart(zip) ?? 'word/document.xml';
  const relationships = relationshipsOf(zip, part);
  const partOf = (relationshipType: string) =>
    relationships.find(({ type }) => type === relationshipType)?.target;
  const styles = readWordStyles(partText(zip, partOf('styles') ?? 'word/styles.xml'));
  const text = createStructuredText();
  const numbering = readWordNumbering(partText(zip, partOf('numbering') ?? 'word/numbering.xml'));
  const shownTitle = writeWordText(partText(zip, part), { styleOf: styles, numbering }, text);
  for (const notes of ['footnotes', 'endnotes']) {
    const name = partOf(notes);
    if (name !== undefined) writeWordText(partText(zip, name), { styleOf: styles }, text);
  }
  writeFigures(zip, relationships, text);
  return readingOf(text.finish(), coreProperties(zip), { ...page, fileType: 'docx', shownTitle });
}
