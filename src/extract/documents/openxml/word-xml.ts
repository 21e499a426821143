import type { Reading } from '../../extracted.ts';
import { parseDate } from '../../metadata/dates.ts';
import { readingOf } from '../properties.ts';
import { createStructuredText } from '../structured-text.ts';
import { decodeXml } from '../xml.ts';
import { simpleFields } from './opc.ts';
import { readWordNumbering } from './word-numbering.ts';
import { readWordStyles } from './word-styles.ts';
import { writeWordText } from './word-text.ts';

/** Reads a document that Word saved as one XML file: Word 2003 XML, or a flat package (ECMA-376, "Flat OPC"). */
export function readWordXml(
  bytes: Uint8Array,
  page: { readonly url: string; readonly now: number },
): Reading {
  const xml = decodeXml(bytes);
  const fields = simpleFields(xml);
  const text = createStructuredText();
  const shownTitle = writeWordText(
    xml,
    { styleOf: readWordStyles(xml), numbering: readWordNumbering(xml) },
    text,
  );
  const date = (...names: string[]) =>
    parseDate(names.map((name) => fields.get(name)).find((value) => value !== undefined) ?? '');
  return readingOf(
    text.finish(),
    {
      title: fields.get('Title') ?? fields.get('title'),
      author: fields.get('Author') ?? fields.get('creator'),
      created: date('Created', 'created'),
      modified: date('LastSaved', 'modified'),
    },
    { ...page, fileType: 'doc', shownTitle },
  );
}
