import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { startGleaner, startProcess } from '../process.ts';
import { runHere } from '../run-here.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const bin = fileURLToPath(new URL('../../bin/gleaner.mjs', import.meta.url));

describe('an empty value of an option', () => {
  test.each([
    [['status', '--data', ''], '--data'],
    [['keys', 'list', '--data='], '--data'],
    [['search', 'owl', '--site', ''], '--site'],
    [['crawl', 'https://a.example/', '--exclude', ''], '--exclude'],
    [['--config', '', 'status'], '--config'],
  ])('is refused: %j', async (args, option) => {
    const { code, stdout, stderr } = await runHere(...args);
    expect(stderr).toBe(`gleaner: ${option} must not be empty: give a value, or leave it out\n`);
    expect([code, stdout]).toEqual([1, '']);
  });
});

describe('output that cannot be written', () => {
  const shell = (line: string) => startProcess('sh', ['-c', line, process.execPath, bin]).finished;

  test('ends a command quietly where the reader has gone', async () => {
    const { stderr } = await shell('{ "$0" "$1" completion bash; echo "status $?" >&2; } | true');
    expect(stderr).toBe('status 141\n');
  });

  test.skipIf(process.platform !== 'linux')('is one line on stderr where the disk is full', async () => {
    expect(await shell('"$0" "$1" completion bash > /dev/full')).toEqual({
      code: 74,
      stdout: '',
      stderr: 'gleaner: cannot write to stdout: no space left on device\n',
    });
  });
});

describe('help', () => {
  const help = (...names: string[]) => {
    const { finished } = startGleaner(['help', ...names]);
    return finished;
  };

  test('shows a command below another one', async () => {
    expect((await help('keys', 'create')).stdout).toMatch(/^Usage: gleaner keys create .*--per-minute/s);
  });

  test('names a command that is not there', async () => {
    expect(await runHere('help', 'serch')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^gleaner: there is no command 'serch' \(did you mean search\?\): "/),
    });
    expect((await runHere('help', 'keys', 'nosuch')).stderr).toMatch(/no command 'nosuch':/);
  });
});

describe('an import that exits with 1 says why', () => {
  const folders = () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'empty'));
    mkdirSync(join(folder, 'programs'));
    writeFileSync(join(folder, 'programs', 'a.exe'), 'MZ\0');
    writeFileSync(join(folder, 'a.warc'), '');
    return (...args: string[]) =>
      runHere('import', ...args.map((arg) => arg.replace('@', folder)), '--data', temporaryFolder());
  };

  test.each([
    [['@/empty'], /nothing was imported: no file was found/],
    [['@/programs'], /nothing was imported: unsupported type$/m],
    [['@/a.warc', '--base-url', 'https://a.example/'], /--base-url: is for folders and documents/],
  ])('%j', async (args, reason) => {
    const { code, stderr } = await folders()(...args);
    expect(stderr).toMatch(reason);
    expect(code).toBe(1);
  });
});

test('a search says what was probably meant before the pages that lack words', async () => {
  const folder = temporaryFolder();
  const data = temporaryFolder();
  writeFileSync(
    join(folder, 'owl.html'),
    '<title>Owl notes</title><p>Herons wade. Owls hear a mouse under snow.</p>',
  );
  writeFileSync(
    join(folder, 'heron.html'),
    '<title>Heron notes</title><p>Herons hear little under water.</p>',
  );
  await runHere('import', folder, '--data', data);
  const { stdout } = await runHere('search', 'herrons', 'snow', '--data', data);
  expect(stdout).toMatch(/^No page matches\.\nDid you mean: herons snow\n\nPages that lack/);
  const json = await runHere('search', 'herrons', 'snow', '--json', '--data', data);
  expect(JSON.parse(json.stdout)).toMatchObject({ did_you_mean: 'herons snow' });
});

test('Ctrl-C in an import says that it stops, then what was imported, and packs nothing', async () => {
  const folder = temporaryFolder();
  for (let n = 0; n < 3000; n++)
    writeFileSync(join(folder, `${n}.txt`), `Page ${n}\n\n${'heron '.repeat(n % 50)}${n}`);
  const run = startGleaner(['import', folder, '--data', temporaryFolder()]);
  await run.says(/[1-9]\d* stored/);
  run.child.kill('SIGINT');
  const { code, stdout, stderr } = await run.finished;
  expect(stderr).toMatch(/^Stopping: what was read is being stored/m);
  expect(stderr).not.toContain('Packing the index');
  expect(stdout).toMatch(/^stored +\d+$.*^Stopped\. The same command goes on/ms);
  expect(code).toBe(130);
});

test('the log of a service says that its data folder was deleted', async () => {
  const data = join(temporaryFolder(), 'data');
  const service = startGleaner(['serve', '--port', '0', '--data', data]);
  await service.says(/in the index/);
  rmSync(data, { recursive: true });
  await service.says(/^{"level":50,.*was deleted or replaced while it was open: restart/m);
});
