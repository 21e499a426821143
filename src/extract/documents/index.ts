/** The entry point of the readers of office documents, books and PDFs: nothing else of this folder is imported from outside. */
export { containerOf, promisesDocument } from './document-type.ts';
export { maxPdfWallMs } from './pdf/pdf-limits.ts';
export { createPdfReader, type PdfReader } from './pdf/pdf-reader.ts';
export { readingOf } from './properties.ts';
export { readDocument } from './read-document.ts';
