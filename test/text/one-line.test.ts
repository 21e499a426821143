import { expect, test } from 'vitest';
import { stripInvisible } from '../../src/text/line/invisible.ts';
import { oneLine } from '../../src/text/line/one-line.ts';

/** The same in all its steps, whatever the text is made of. */
const stepByStep = (text: string) =>
  stripInvisible(text.replace(/\p{Cs}/gu, '').replace(/[\s\u0085]+/g, ' '))
    .replace(/ {2,}/g, ' ')
    .trim();

test('plain text takes a short way to the same line, for every character', () => {
  const different: string[] = [];
  for (let code = 0; code < 0x10000; code++) {
    const character = String.fromCharCode(code);
    for (const text of [`a${character}b`, ` ${character} `, `鹭${character}\n${character}é`]) {
      if (oneLine(text) !== stepByStep(text)) different.push(code.toString(16));
    }
  }
  expect(different).toEqual([]);
});
