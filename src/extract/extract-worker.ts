import { parentPort } from 'node:worker_threads';
import { loadLanguageDetector } from '../text/language/language.ts';
import { createPdfReader } from './documents/index.ts';
import type { FetchedFile } from './extract.ts';
import { createFileExtractor } from './file-extractor.ts';

const { read: readPdf } = createPdfReader();
const extract = createFileExtractor({ detectLanguage: await loadLanguageDetector(), now: Date.now, readPdf });

parentPort?.on('message', async (fetched: FetchedFile) => {
  parentPort?.postMessage(await extract(fetched));
});
