import type { FileType } from '../../page.ts';
import { mainPart } from './openxml/opc.ts';
import type { ZipArchive } from './zip.ts';

export type ZipType = 'docx' | 'pptx' | 'xlsx' | 'odt' | 'odp' | 'ods' | 'epub';
export type Container = 'pdf' | 'zip' | 'ole' | 'rtf' | 'word-xml';

/** The first line of a PDF may come after other bytes, within the first kilobyte (ISO 32000-1, annex H, note 13). */
const pdfHeaderBytes = 1024;
/** Enough for the bytes after a late header too. */
const firstBytes = 4096;

/** The container format of the bytes, whatever their name; undefined for other files. */
export function containerOf(bytes: Uint8Array): Container | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, firstBytes));
  if (start.length >= 8 && start.readUInt32BE(0) === 0xd0cf11e0) return 'ole';
  const head = start.toString('latin1');
  if (head.startsWith('PK\x03\x04') || head.startsWith('PK\x05\x06')) return 'zip';
  if (/^\s*\{\\rtf/.test(head)) return 'rtf';
  if (head.startsWith('%PDF-')) return 'pdf';
  const late = head.slice(0, pdfHeaderBytes).search(/%PDF-\d\.\d\s/);
  if (late > 0 && /\s\d+\s+\d+\s+obj\b/.test(head.slice(late))) return 'pdf';
  if (/^[^<]{0,8}<\?xml/.test(head) && /progid="Word\.Document"|<w:wordDocument\b/.test(head))
    return 'word-xml';
  return undefined;
}

const byMimeType: Readonly<Record<string, ZipType>> = {
  'application/epub+zip': 'epub',
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.oasis.opendocument.text-template': 'odt',
  'application/vnd.oasis.opendocument.text-master': 'odt',
  'application/vnd.oasis.opendocument.presentation': 'odp',
  'application/vnd.oasis.opendocument.presentation-template': 'odp',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/vnd.oasis.opendocument.spreadsheet-template': 'ods',
  'application/vnd.sun.xml.writer': 'odt',
  'application/vnd.sun.xml.impress': 'odp',
  'application/vnd.sun.xml.calc': 'ods',
};

/** The document type of an archive, by its content: OpenDocument and EPUB name their type, OPC its main part. */
export function zipTypeOf(zip: ZipArchive): ZipType | undefined {
  const mimeType = Buffer.from(zip.has('mimetype') ? (zip.read('mimetype') ?? []) : [])
    .toString('latin1')
    .trim();
  const named = byMimeType[mimeType];
  if (named !== undefined) return named;
  if (zip.has('META-INF/container.xml')) return 'epub';
  const main = zip.has('_rels/.rels') ? mainPart(zip) : undefined;
  const folder = /^(word|ppt|xl)\//i.exec(main ?? '')?.[1]?.toLowerCase() ?? folderOf(zip);
  if (folder === 'word') return 'docx';
  if (folder === 'ppt') return 'pptx';
  if (folder === 'xl') return 'xlsx';
  return undefined;
}

function folderOf(zip: ZipArchive): string | undefined {
  if (zip.has('word/document.xml')) return 'word';
  if (zip.has('ppt/presentation.xml')) return 'ppt';
  return zip.has('xl/workbook.xml') ? 'xl' : undefined;
}

const byEnding: Readonly<Record<string, FileType>> = {
  pdf: 'pdf',
  doc: 'doc',
  dot: 'doc',
  docx: 'docx',
  docm: 'docx',
  dotx: 'docx',
  odt: 'odt',
  ott: 'odt',
  rtf: 'rtf',
  ppt: 'ppt',
  pps: 'ppt',
  pptx: 'pptx',
  ppsx: 'pptx',
  pptm: 'pptx',
  odp: 'odp',
  xls: 'xls',
  xlt: 'xls',
  xlsx: 'xlsx',
  xlsm: 'xlsx',
  ods: 'ods',
  epub: 'epub',
};
const documentMediaType =
  /^application\/(?:pdf|x-pdf|rtf|msword|vnd\.ms-(?:word|excel|powerpoint)|vnd\.openxmlformats-officedocument|vnd\.oasis\.opendocument|epub\+zip)|^text\/rtf/i;

/**
 * Whether media type or URL name a document. If the bytes are none, the file is damaged or mislabeled rather than of an
 * unknown type.
 */
export function promisesDocument(contentType: string | null, url: string): boolean {
  const mediaType = (contentType ?? '').trim();
  if (documentMediaType.test(mediaType)) return true;
  if (
    mediaType !== '' &&
    !/^(?:application|binary)\/(?:octet-stream|zip|x-download|force-download)/i.test(mediaType)
  )
    return false;
  const ending = /\.([a-z0-9]{1,5})$/i.exec(url.split(/[?#]/, 1)[0] ?? '')?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(byEnding, ending);
}
