/** Readers of office documents, books and PDFs. Other folders import this file only. */
export { containerOf, promisesDocument } from './document-type.ts';
export { maxPdfWallMs } from './pdf/pdf-limits.ts';
export { createPdfReader, type PdfReader } from './pdf/pdf-reader.ts';
export { readingOf } from './properties.ts';
export { readDocument } from './read-document.ts';
export { walkXml } from './xml.ts';
