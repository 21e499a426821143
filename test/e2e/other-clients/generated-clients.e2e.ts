import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeEach, expect, test } from 'vitest';
import { type Finished, startGleaner, startProcess } from '../../process.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const exec = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));

let url: string;
let folder: string;

/** A service over its own documentation, and an empty folder for what is generated from it. */
beforeEach(async () => {
  folder = temporaryFolder();
  const service = startGleaner(['serve', '--port', '0', '--data', temporaryFolder()]);
  [, url = ''] = await service.says(/listens on (\S+)/);
  await service.says(/in the index/);
});

/** The commands and the program of a block of docs/http.md, for the service that runs. */
function documented(name: string): [commands: string, program: string] {
  const page = readFileSync(join(root, 'docs/http.md'), 'utf8').replaceAll('http://127.0.0.1:8080', url);
  const block = page.split(`<!-- ${name} -->`)[1]?.split(`<!-- /${name} -->`)[0] ?? '';
  const [commands = '', program = ''] = [...block.matchAll(/```\w+\n(.*?)```/gs)].map(
    ([, code = '']) => code,
  );
  return [commands, program];
}

const inFolder = (command: string) => exec('sh', ['-euc', command], { cwd: folder });

/** Runs the program with a query that is answered and with none, which is refused. */
async function runBoth(command: string, ...args: string[]): Promise<[answered: Finished, refused: Finished]> {
  const run = (q: string) => startProcess(command, [...args, q]).finished;
  return [await run('crawler robots.txt'), await run('')];
}

function expectRound([answered, refused]: readonly [Finished, Finished]): void {
  expect(answered.code, answered.stderr).toBe(0);
  expect(answered.stdout).toContain(`Crawling ${url}/docs/crawling\n`);
  expect(answered.stdout, 'code as Markdown').toMatch(/^```$/m);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('q: must hold at least one word');
}

test('the TypeScript client of the documentation is generated, fits its types, searches, reads, and tells errors', async () => {
  const [commands, program] = documented('typescript-client');
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await inFolder(commands);
  writeFileSync(join(folder, 'round.ts'), program);
  const options =
    '--strict --target es2023 --module nodenext --allowImportingTsExtensions --rewriteRelativeImportExtensions';
  const types = `--types node --typeRoots ${root}node_modules/@types`;
  await inFolder(`${root}node_modules/.bin/tsc ${options} ${types} round.ts`);
  expectRound(await runBoth(process.execPath, join(folder, 'round.js')));
});

test('the Python client of the documentation is generated without a warning, searches, reads, and tells errors', async () => {
  const [commands, program] = documented('python-client');
  const { stdout, stderr } = await inFolder(commands);
  expect(`${stdout}${stderr}`).not.toMatch(/warning/i);
  writeFileSync(join(folder, 'round.py'), program);
  expectRound(await runBoth(join(folder, 'venv/bin/python'), join(folder, 'round.py')));
});
