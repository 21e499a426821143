import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandsOf, completion, type Shell } from '../../src/cli/completion.ts';
import { createProgram } from '../../src/main.ts';
import { runGleaner } from '../process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const shells = ['bash', 'zsh', 'fish'] as const;
const script = (shell: Shell) => completion(createProgram(), shell);
const isInstalled = (shell: Shell) => spawnSync(shell, ['-c', 'exit 0']).status === 0;

test.each(shells)('the %s script names every command and every option of the program', (shell) => {
  const text = script(shell);
  for (const { path, options } of commandsOf(createProgram(), [])) {
    for (const word of path) expect(text).toContain(word);
    const flags = options.flatMap((option) => option.flags);
    for (const flag of flags) expect(text).toContain(shell === 'fish' ? flag.replace(/^--?/, '') : flag);
  }
});

test('an option that the program gains is completed', () => {
  const program = createProgram();
  program.command('brew').option('--strength <number>', 'how strong');
  for (const shell of shells) expect(completion(program, shell)).toMatch(/strength/);
});

test('gleaner completion prints the script, and refuses shells that it does not know', async () => {
  expect((await runGleaner('completion', 'bash')).stdout).toBe(script('bash'));
  const { code, stderr } = await runGleaner('completion', 'tcsh');
  expect(stderr).toMatch(/Allowed choices are bash, zsh, fish/);
  expect(code).toBe(1);
});

describe.skipIf(!isInstalled('bash'))('bash (skipped where it is not installed)', () => {
  const complete = (folder: string, ...words: string[]): string[] => {
    const test = `${script('bash')}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _gleaner && printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', test, 'bash', ...words], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    return stdout.split('\n').filter((line) => line !== '');
  };

  test('completes commands, commands below them and options', () => {
    const folder = temporaryFolder();
    expect(complete(folder, 'gleaner', 'cr')).toEqual(['crawl']);
    expect(complete(folder, 'gleaner', '--quiet', 'keys', '')).toEqual(['create', 'list', 'revoke', 'help']);
    expect(complete(folder, 'gleaner', 'crawl', '--max')).toEqual(['--max-pages', '--max-depth']);
    expect(complete(folder, 'gleaner', 'keys', 'create', '--b')).toEqual(['--burst']);
    expect(complete(folder, 'gleaner', 'completion', 'z')).toEqual(['zsh']);
    expect(complete(folder, 'gleaner', 'search', 'cr')).toEqual([]);
  });

  test('completes files and folders where those belong, with spaces in their names', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'my data'));
    writeFileSync(join(folder, 'my pages.warc'), '');
    expect(complete(folder, 'gleaner', 'search', 'x', '--data', 'my')).toEqual(['my data']);
    expect(complete(folder, 'gleaner', 'import', 'my').sort()).toEqual(['my data', 'my pages.warc']);
    expect(complete(folder, 'gleaner', '--config', 'my pages.warc', 'crawl', '--in')).toEqual(['--include']);
  });
});

test.skipIf(!isInstalled('fish'))('fish completes the same (skipped where it is not installed)', () => {
  const complete = (line: string): string[] => {
    const input = `${script('fish')}\ncomplete -C '${line}'`;
    const file = join(temporaryFolder(), 'test.fish');
    writeFileSync(file, input);
    const { stdout, stderr } = spawnSync('fish', ['--no-config', file], { encoding: 'utf8' });
    expect(stderr).toBe('');
    return stdout.split('\n').flatMap((one) => (one === '' ? [] : [one.split('\t')[0] as string]));
  };
  expect(complete('gleaner cr')).toEqual(['crawl']);
  expect(complete('gleaner keys create --b')).toEqual(['--burst']);
  expect(complete('gleaner completion ').sort()).toEqual(['bash', 'fish', 'zsh']);
});

test.skipIf(!isInstalled('zsh'))('zsh reads its script (skipped where it is not installed)', () => {
  const { status, stderr } = spawnSync(
    'zsh',
    ['-f', '-c', 'compdef() { :; }; eval "$1"; which _gleaner_keys_create', 'zsh', script('zsh')],
    {
      encoding: 'utf8',
    },
  );
  expect([status, stderr]).toEqual([0, '']);
});
