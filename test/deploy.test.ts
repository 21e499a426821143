import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { settings } from '../src/config/config.ts';
import { temporaryFolder } from './temporary-folder.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const text = readFileSync(join(root, 'docs/deploy.md'), 'utf8');
const block = (language: string): string =>
  new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(text)?.[1] ?? expect.unreachable(language);

test('the systemd unit is one', (context) => {
  const unit = join(temporaryFolder(), 'gleaner.service');
  // The paths and the user of a machine where it is installed.
  const here = block('ini')
    .replace('/usr/bin/node', process.execPath)
    .replace('User=gleaner', 'User=root')
    .replace(/\/opt\S+gleaner\.mjs/, join(root, 'bin/gleaner.mjs'));
  writeFileSync(unit, here);
  const { error, status, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
  if (error) return context.skip(`no systemd-analyze here: ${error.message}`);
  expect([status, stderr]).toEqual([0, '']);
});

test('what the Dockerfile copies is there', () => {
  const copied = [...block('dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, files]) =>
    (files as string).split(' '),
  );
  expect(copied).toContain('package.json');
  expect(copied.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

test('every setting that the page names exists', () => {
  const named = new Set(text.match(/GLEANER_\w+/g));
  expect([...named].filter((name) => !(name in settings))).toEqual([]);
});
