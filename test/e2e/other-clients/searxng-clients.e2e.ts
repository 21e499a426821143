import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { startGleaner } from '../../process.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { installPythonClients } from './python-clients.ts';

const exec = promisify(execFile);

const round = fileURLToPath(new URL('searxng_round.py', import.meta.url));

let python: string;
beforeAll(async () => {
  python = await installPythonClients();
});

test.each(['', '/search'])(
  "LangChain's SearXNG wrapper gets answers from the address with %j",
  async (path) => {
    const service = startGleaner(['serve', '--port', '0', '--data', temporaryFolder()], '', {
      GLEANER_EXTERNAL: 'off',
    });
    const [, url = ''] = await service.says(/listens on (\S+)/);
    await service.says(/in the index/);
    const { stdout } = await exec(python, [round, `${url}${path}`, 'crawler robots.txt']);
    const { results, text } = JSON.parse(stdout) as { results: object[]; text: string };
    expect(results).toHaveLength(3);
    expect(results).toContainEqual({
      title: 'Crawling',
      link: `${url}/docs/crawling`,
      snippet: expect.any(String),
      engines: ['gleaner'],
      category: 'general',
    });
    expect(text).toMatch(/\S/);
  },
);

test.each(['langchain', 'llamaindex'])(
  'the retriever of examples for %s gives pages with their text',
  async (name) => {
    const service = startGleaner(['serve', '--port', '0', '--data', temporaryFolder()], '', {
      GLEANER_EXTERNAL: 'off',
    });
    const [, url = ''] = await service.says(/listens on (\S+)/);
    await service.says(/in the index/);
    const script = fileURLToPath(new URL(`../../../examples/${name}_retriever.py`, import.meta.url));
    const { stdout } = await exec(python, [script, 'how does the crawler read robots.txt'], {
      env: { ...process.env, GLEANER_URL: url },
    });
    expect(stdout).toContain(`# Crawling\n${url}/docs/crawling\n`);
    expect(stdout).toMatch(/^## /m);
  },
);
