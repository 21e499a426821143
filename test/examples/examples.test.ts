import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type Environment, type Finished, startProcess } from '../process.ts';
import { exampleAnswer, exampleData, exampleQuestion, exampleService } from './example-service.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

function run(file: string, more: Environment): Promise<Finished> {
  return startProcess(process.execPath, [`${root}${file}`, exampleQuestion], '', more).finished;
}

describe('the agent in TypeScript', () => {
  const file = 'dist/examples/agent.js';

  test('answers over HTTP, and says in words that a key is not good', async () => {
    const url = await exampleService(await exampleData());
    const { code, stdout, stderr } = await run(file, { GLEANER_URL: url });
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(exampleAnswer);

    const refused = await run(file, { GLEANER_URL: url, GLEANER_KEY: 'gl_wrong' });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('API key');
  });

  test('answers over stdio', async () => {
    const command = [process.execPath, `${root}bin/gleaner.mjs`, 'mcp', '--data', await exampleData()];
    const { code, stdout, stderr } = await run(file, { GLEANER_COMMAND: command.join(' ') });
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(exampleAnswer);
  });
});

test('retrieval with fetch gives a prompt with the pages and the question, and names what is wrong', async () => {
  const url = await exampleService(await exampleData());
  const { code, stdout, stderr } = await run('examples/rag-fetch.mjs', { GLEANER_URL: url });
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(exampleAnswer);
  expect(stdout.trimEnd().endsWith(`Question: ${exampleQuestion}`)).toBe(true);

  const refused = await run('examples/rag-fetch.mjs', { GLEANER_URL: url, GLEANER_KEY: 'gl_wrong' });
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('Unknown API key');
});

test('examples/README.md lists every example', () => {
  const page = readFileSync(`${root}examples/README.md`, 'utf8');
  const files = readdirSync(`${root}examples`).filter((name) => name !== 'README.md');
  expect(files.filter((name) => !page.includes(`](${name})`))).toEqual([]);
});
