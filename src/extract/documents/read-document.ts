import type { Reading } from '../extracted.ts';
import { type Container, containerOf, zipTypeOf } from './document-type.ts';
import { readEpub } from './epub.ts';
import { readOdf } from './odf.ts';
import { readDoc } from './ole/doc.ts';
import { openEncryptedPackage } from './ole/encrypted-package.ts';
import { openOle } from './ole/ole.ts';
import { readPpt } from './ole/ppt.ts';
import { readXls } from './ole/xls.ts';
import { readDocx } from './openxml/docx.ts';
import { readPptx } from './openxml/pptx.ts';
import { readWordXml } from './openxml/word-xml.ts';
import { readXlsx } from './openxml/xlsx.ts';
import { type Refusal, RefusedDocument, refusalOf } from './refused.ts';
import { readRtf } from './rtf/rtf.ts';
import { openZip } from './zip.ts';

export type DocumentOutcome =
  | { readonly kind: 'read'; readonly reading: Reading }
  /** `isDocument`: its type was recognized, so it is a damaged document and not another kind of file. */
  | { readonly kind: 'refused'; readonly why: Refusal; readonly isDocument: boolean };

interface PageOfFile {
  readonly url: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** All parts of one document together may unpack to this. */
const maxUnpackedBytes = 64 * 1024 * 1024;

/**
 * Reads an office document or a book, recognized by its bytes; undefined for other files, and for PDFs, which
 * `createPdfReader` reads. Never throws: damage, encryption and decompression bombs are outcomes.
 */
export function readDocument(bytes: Uint8Array, page: PageOfFile): DocumentOutcome | undefined {
  const container = containerOf(bytes);
  if (container === undefined || container === 'pdf') return undefined;
  let read: (() => Reading) | undefined;
  try {
    read = openers[container](bytes, page);
    return { kind: 'read', reading: read() };
  } catch (error) {
    return { kind: 'refused', why: refusalOf(error), isDocument: read !== undefined };
  }
}

function openZipped(bytes: Uint8Array, page: PageOfFile): () => Reading {
  const zip = openZip(bytes, { remainingBytes: maxUnpackedBytes });
  const type = zipTypeOf(zip);
  switch (type) {
    case 'docx':
      return () => readDocx(zip, page);
    case 'pptx':
      return () => readPptx(zip, page);
    case 'xlsx':
      return () => readXlsx(zip, page);
    case 'odt':
    case 'odp':
    case 'ods':
      return () => readOdf(zip, { ...page, fileType: type });
    case 'epub':
      return () => readEpub(zip, page);
    case undefined:
      throw new RefusedDocument('unsupported type');
  }
}

/** The stream of a file whose text is locked by rights management. */
const rightsLock = '\u0009drmcontent';

function openOleFile(bytes: Uint8Array, page: PageOfFile): () => Reading {
  const file = openOle(bytes);
  const names = new Set(file.names.map((name) => name.toLowerCase()));
  if (names.has('encryptedpackage') || names.has('encryptioninfo'))
    return () => openZipped(openEncryptedPackage(file), page)();
  if (names.has(rightsLock)) throw new RefusedDocument('encrypted');
  if (names.has('worddocument')) return () => readDoc(file, page);
  if (names.has('workbook') || names.has('book')) return () => readXls(file, page);
  if (names.has('powerpoint document')) return () => readPpt(file, page);
  throw new RefusedDocument('unsupported type');
}

const openers: Readonly<
  Record<Exclude<Container, 'pdf'>, (bytes: Uint8Array, page: PageOfFile) => () => Reading>
> = {
  zip: openZipped,
  ole: openOleFile,
  rtf: (bytes, page) => () => readRtf(bytes, page),
  'word-xml': (bytes, page) => () => readWordXml(bytes, page),
};
