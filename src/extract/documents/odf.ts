import type { Reading } from '../extracted.ts';
import { parseDate } from '../metadata/dates.ts';
import { writeOdfText } from './odf-text.ts';
import { partText, simpleFields } from './openxml/opc.ts';
import { type Properties, readingOf } from './properties.ts';
import { RefusedDocument } from './refused.ts';
import { createStructuredText } from './structured-text.ts';
import type { ZipArchive } from './zip.ts';

/**
 * Reads an OpenDocument text, presentation or spreadsheet (OASIS OpenDocument 1.3), without comments, tracked deletions,
 * page headers and footers, and hidden text.
 */
export function readOdf(
  zip: ZipArchive,
  page: { readonly url: string; readonly now: number; readonly fileType: 'odt' | 'odp' | 'ods' },
): Reading {
  if (partText(zip, 'META-INF/manifest.xml').includes('encryption-data'))
    throw new RefusedDocument('encrypted');
  if (!zip.has('content.xml')) throw new RefusedDocument('damaged file');
  const text = createStructuredText();
  const shownTitle = writeOdfText(partText(zip, 'content.xml'), text);
  // A chart is a document inside the document, with its numbers in a table.
  for (const name of zip.names)
    if (/^Object[^/]*\/content\.xml$/.test(name) && !text.isFull()) writeOdfText(partText(zip, name), text);
  return readingOf(text.finish(), odfProperties(partText(zip, 'meta.xml')), { ...page, shownTitle });
}

function odfProperties(xml: string): Properties {
  const fields = simpleFields(xml);
  return {
    title: fields.get('title'),
    author: fields.get('initial-creator') ?? fields.get('creator'),
    description: fields.get('description') ?? fields.get('subject'),
    lang: fields.get('language'),
    created: parseDate(fields.get('creation-date') ?? ''),
    modified: parseDate(fields.get('date') ?? ''),
  };
}
