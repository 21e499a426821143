import { parentPort } from 'node:worker_threads';
import { loadLanguageDetector } from '../text/language.ts';
import { createExtractor, type Fetched } from './extract.ts';

const extract = createExtractor({ detectLanguage: await loadLanguageDetector(), now: Date.now });

parentPort?.on('message', async (fetched: Fetched) => {
  parentPort?.postMessage(await extract(fetched));
});
