import type { Reading } from '../extracted.ts';
import { containerOf, zipTypeOf } from './document-type.ts';
import { readDocx } from './docx.ts';
import { readEpub } from './epub.ts';
import { readOdf } from './odf.ts';
import { readPptx } from './pptx.ts';
import { type Refusal, Refused, refusalOf } from './refused.ts';
import { readXlsx } from './xlsx.ts';
import { openZip } from './zip.ts';

export type DocumentOutcome =
  | { readonly kind: 'read'; readonly reading: Reading }
  | { readonly kind: 'refused'; readonly why: Refusal };

/** All parts of one document together may unpack to this. */
export const maxUnpackedBytes = 64 * 1024 * 1024;

/**
 * Reads an office document or a book, told by its bytes; undefined when the bytes are none of these. A PDF is one that
 * only `createPdfReader` reads. Never throws: damage, encryption and bombs are outcomes.
 */
export function readDocument(
  bytes: Uint8Array,
  page: { readonly url: string; readonly now: number },
): DocumentOutcome | undefined {
  const container = containerOf(bytes);
  if (container !== 'zip') return undefined;
  try {
    return { kind: 'read', reading: readZipped(bytes, page) };
  } catch (error) {
    return { kind: 'refused', why: refusalOf(error) };
  }
}

function readZipped(bytes: Uint8Array, page: { readonly url: string; readonly now: number }): Reading {
  const zip = openZip(bytes, { left: maxUnpackedBytes });
  const type = zipTypeOf(zip);
  switch (type) {
    case 'docx':
      return readDocx(zip, page);
    case 'pptx':
      return readPptx(zip, page);
    case 'xlsx':
      return readXlsx(zip, page);
    case 'odt':
    case 'odp':
    case 'ods':
      return readOdf(zip, { ...page, fileType: type });
    case 'epub':
      return readEpub(zip, page);
    case undefined:
      throw new Refused('unsupported type');
  }
}
