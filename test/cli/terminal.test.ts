import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createMarkWords } from '../../src/cli/output/mark-words.ts';
import { printableJson, printableLine, printableText } from '../../src/cli/output/printable.ts';
import { createStyle } from '../../src/cli/output/style.ts';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { createPageWriter } from '../../src/store/page-writer.ts';
import { examplePage } from '../pages.ts';
import { type Environment, runGleaner, startGleaner } from '../process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** Sets a title, clears the screen, by seven and by eight bits; turns text around; rings. */
const hostile = '\u001b]0;owned\u0007\u001b[2J\u009b2J\u202e\rover';
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/;

describe('what is printed of a page', () => {
  test('holds no control characters, and keeps its lines', () => {
    expect(printableText(`one${hostile}\n\ttwo`)).toBe('one]0;owned[2J2J\nover\n\ttwo');
    expect(printableLine(`one\n${hostile}`)).toBe('one ]0;owned[2J2J over');
    expect(printableText('数据  👩‍💻 naïve')).toBe('数据  👩‍💻 naïve');
  });

  test('is the same value as JSON, without control characters in it', () => {
    const json = printableJson({ hostile, lines: 'a\nb' });
    expect(json).not.toMatch(controls);
    expect(JSON.parse(json)).toEqual({ hostile, lines: 'a\nb' });
  });
});

describe('marked words', () => {
  const marked = (q: string, text: string, lang: string, asked?: string) =>
    createMarkWords(q, asked, (word) => `<${word}>`)(text, lang);

  test.each([
    ['walking', 'He walks and walked; the WALK.', 'en', 'He <walks> and <walked>; the <WALK>.'],
    ['数据透视表', '在这里创建数据透视表，很简单', 'zh', '在这里创建<数据透视表>，很简单'],
    ['how do herons fly', 'How herons fly, and how do they?', 'en', 'How <herons> <fly>, and how do they?'],
    ['heron -grey', 'A grey heron', 'en', 'A grey <heron>'],
    ['intitle:heron', 'Herons, a heron', 'en', 'Herons, a <heron>'],
    ['asyncio.TaskGroup', 'The asyncio.TaskGroup class', 'en', 'The <asyncio>.<TaskGroup> class'],
    [
      '"grey heron" site:example.com',
      'the grey heron of example.com',
      'en',
      'the <grey> <heron> of example.com',
    ],
    ['zebra', 'no such word', 'en', 'no such word'],
  ])('%s in %j', (q, text, lang, expected) => {
    expect(marked(q, text, lang)).toBe(expected);
  });
});

test('text is set off on a terminal, or where that is forced, and nowhere else', () => {
  const terminal = { isTTY: true };
  expect(createStyle('auto', terminal).bold('x')).toBe('\u001b[1mx\u001b[22m');
  expect(createStyle('always', {}).dim('x')).toBe('\u001b[2mx\u001b[22m');
  for (const plain of [createStyle('auto', {}), createStyle('never', terminal)])
    expect([plain.bold('x'), plain.dim('x'), plain.mark('x'), plain.isOn]).toEqual(['x', 'x', 'x', false]);
});

/** A folder with one page about herons, as an older version or another writer may have stored it. */
async function dataWith(title: string, body: string): Promise<string> {
  const data = temporaryFolder();
  const store = openPageStore(data);
  await createPageWriter({ store }).put(examplePage({ url: 'https://example.com/heron', title, body }));
  await store.close();
  return data;
}

async function search(data: string, environment: Environment): Promise<string> {
  const { finished } = startGleaner(['search', 'heron', '--data', data], '', environment);
  return (await finished).stdout.replace(/\(\d+ ms\)/, '(0 ms)');
}

test('a search is coloured by FORCE_COLOR alone where it writes to a pipe', async () => {
  const data = await dataWith('Grey herons', 'A heron stands still.');
  const plain = await search(data, {});
  expect(plain).toContain('1. Grey herons\n');
  expect(plain).not.toMatch(controls);
  for (const environment of [{ NO_COLOR: '1' }, { TERM: 'dumb' }, { FORCE_COLOR: '0' }])
    expect(await search(data, environment)).toBe(plain);
  const coloured = await search(data, { FORCE_COLOR: '1', NO_COLOR: '1' });
  expect(coloured).toContain('1. \u001b[1mGrey \u001b[33mherons\u001b[39m\u001b[22m\n');
  expect(coloured).toContain('A \u001b[33mheron\u001b[39m stands still.');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences that set words off
  expect(coloured.replace(/\u001b\[\d+m/g, '')).toBe(plain);
});

test('a stored page cannot write to the terminal of a search, coloured or not', async () => {
  const data = await dataWith(`Heron ${hostile}`, `A heron ${hostile} stands still.`);
  expect(await search(data, {})).not.toMatch(controls);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences that set words off
  expect((await search(data, { FORCE_COLOR: '1' })).replace(/\u001b\[(?:1|2|22|33|39)m/g, '')).not.toMatch(
    controls,
  );
  expect((await runGleaner('search', 'heron', '--json', '--data', data)).stdout).not.toMatch(controls);
  expect((await runGleaner('search', 'heron', '--explain', '--data', data)).stdout).not.toMatch(controls);
});

test('neither can the name or the text of a file that is imported or extracted', async () => {
  const folder = temporaryFolder();
  const name = '\u001b[2Jheron\u0007.html';
  const html = `<title>Heron ${hostile}</title><p class="\u001b[2J">A heron &#155;2J ${hostile} stands still.`;
  writeFileSync(join(folder, name), html);
  writeFileSync(join(folder, '\u001b[2J.warc.gz'), 'no archive');
  const imported = await runGleaner('import', folder, '--verbose', '--data', temporaryFolder());
  expect(imported.stderr).toContain('heron');
  for (const args of [[], ['--explain'], ['--json']]) {
    const { stdout, stderr } = await runGleaner('extract', join(folder, name), ...args);
    expect(stdout).toContain('Heron ]0;owned');
    expect(stdout + stderr).not.toMatch(controls);
  }
  const missing = await runGleaner('extract', `${name}.missing`);
  for (const { stdout, stderr } of [imported, missing]) expect(stdout + stderr).not.toMatch(controls);
});
