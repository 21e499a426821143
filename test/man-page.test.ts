import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { commandsOf } from '../src/cli/completion.ts';
import { createProgram } from '../src/main.ts';
import { manPage } from './man-page.ts';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const manifest = JSON.parse(read('package.json'));
const file = 'docs/gleaner.1';
const page = () => manPage(createProgram(), manifest.version, read('docs/command-line.md'));

test('the man page is the program, its settings and its exit statuses (vitest -u writes it)', async () => {
  await expect(page()).toMatchFileSnapshot(fileURLToPath(new URL(`../${file}`, import.meta.url)));
});

test('every command and every option is in it, and npm installs it', () => {
  const text = page().replaceAll('\\-', '-');
  for (const { path, options, subcommands } of commandsOf(createProgram(), [])) {
    if (path.length > 0 && subcommands.length === 0) expect(text).toContain(`.SS "gleaner ${path.join(' ')}`);
    for (const { usage } of options) expect(text).toContain(`.B ${usage}\n`);
  }
  expect(manifest.man).toBe(file);
});

test('no line of it is a request that roff does not know', () => {
  const requests = page().match(/^[.'].*/gm) ?? [];
  const known = /^\.(?:TH|SH|SS|TP|B|I|BR|IR|RI|nf|fi)(?: |$)/;
  expect(requests.filter((line) => !known.test(line))).toEqual([]);
  expect(requests.length).toBeGreaterThan(100);
});
