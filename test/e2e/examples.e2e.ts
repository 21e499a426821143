import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { exampleAnswer, exampleData, exampleQuestion, exampleService } from '../examples/example-service.ts';
import { startGleaner, startProcess } from '../process.ts';
import { installMcpPrograms } from './mcp-clients/mcp-programs.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('the agent in Python', () => {
  let python: string;
  beforeAll(async () => {
    python = (await installMcpPrograms()).pythonPath;
  });
  const run = (more: Readonly<Record<string, string>>) =>
    startProcess(python, [`${root}examples/agent.py`, exampleQuestion], '', more).finished;

  test('answers over HTTP, with a key and without', async () => {
    const data = await exampleData();
    const created = await startGleaner(['keys', 'create', 'example', '--data', data]).finished;
    const key = /gl_\w+/.exec(created.stdout)?.[0] ?? '';
    expect(key).not.toBe('');
    const url = await exampleService(data);
    for (const more of [{}, { GLEANER_KEY: key }]) {
      const { code, stdout, stderr } = await run({ GLEANER_URL: url, ...more });
      expect(code, stderr).toBe(0);
      expect(stdout).toMatch(exampleAnswer);
    }
    const refused = await run({ GLEANER_URL: url, GLEANER_KEY: 'gl_wrong' });
    expect(refused.code).not.toBe(0);
  });

  test('answers over stdio', async () => {
    const command = [process.execPath, `${root}bin/gleaner.mjs`, 'mcp', '--data', await exampleData()];
    const { code, stdout, stderr } = await run({ GLEANER_COMMAND: command.join(' ') });
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(exampleAnswer);
  });
});

test('retrieval with curl and jq gives a prompt with the pages and the question, and fails with a bad key', async () => {
  const url = await exampleService(await exampleData());
  const run = (more: Readonly<Record<string, string>>) =>
    startProcess('sh', [`${root}examples/rag-curl.sh`, exampleQuestion], '', more).finished;
  const { code, stdout, stderr } = await run({ GLEANER_URL: url });
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(exampleAnswer);
  expect(stdout.trimEnd().endsWith(`Question: ${exampleQuestion}`)).toBe(true);

  const refused = await run({ GLEANER_URL: url, GLEANER_KEY: 'gl_wrong' });
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain('401');
});
