import { expect, onTestFinished, test } from 'vitest';
import { createLanguageThread } from '../../../src/text/language/language-thread.ts';

function openThread(options?: { idleMs: number }) {
  const thread = createLanguageThread(options);
  onTestFinished(thread.close);
  return thread;
}

const texts = [
  { text: 'The quick brown fox jumps over the lazy dog and runs away.' },
  { text: 'Der schnelle braune Fuchs springt über den faulen Hund und läuft davon.' },
  { text: '敏捷的棕色狐狸跳过了懒狗。' },
  { text: '42', declared: 'fr' },
  { text: '42' },
];
const languages = ['en', 'de', 'zh', 'fr', 'und'];

test('languages come in the order of the texts, also for many who ask at once', async () => {
  const { detect } = openThread();
  const answers = await Promise.all([detect(texts), detect([]), detect(texts.toReversed())]);
  expect(answers).toEqual([languages, [], languages.toReversed()]);
});

test('a thread that ended for want of work starts again', async () => {
  const { detect } = openThread({ idleMs: 0 });
  for (let round = 0; round < 2; round++) {
    expect(await detect(texts)).toEqual(languages);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
});

test('pending requests are rejected when it is closed', async () => {
  const { detect, close } = openThread();
  const told = expect(detect(texts)).rejects.toThrow('closed');
  await close();
  await told;
});
