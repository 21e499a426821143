import { parentPort } from 'node:worker_threads';
import { loadLanguageDetector } from './language.ts';
import type { DetectionRequest, DetectionResponse } from './language-thread.ts';

const detector = loadLanguageDetector();

parentPort?.on('message', async ({ id, texts }: DetectionRequest) => {
  const detect = await detector;
  const languages = texts.map(({ text, declared }) => detect(text, declared));
  parentPort?.postMessage({ id, languages } satisfies DetectionResponse);
});
