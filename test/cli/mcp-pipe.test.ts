import { expect, test } from 'vitest';
import { startGleaner } from '../process.ts';
import { htmlPage, openSite } from '../site.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** Longer than what was once left for answers after the end of stdin, robots.txt and its pause included. */
const slowMs = 1500;

test('what is piped into gleaner mcp is answered on a slow web, too', async () => {
  const site = await openSite({
    '/slow': async () => {
      await new Promise((resolve) => setTimeout(resolve, slowMs));
      return htmlPage('Slow page');
    },
  });
  const clientInfo = { name: 'printf', version: '0' };
  const messages = [
    {
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
    },
    { method: 'notifications/initialized' },
    {
      id: 2,
      method: 'tools/call',
      params: { name: 'fetch_content', arguments: { url: site.url('/slow') } },
    },
  ];
  const piped = messages.map((message) => JSON.stringify({ jsonrpc: '2.0', ...message })).join('\n');
  const { finished } = startGleaner(['mcp', '--data', temporaryFolder()], piped, {
    GLEANER_ALLOW_PRIVATE: '1',
  });
  const { code, stdout } = await finished;
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(answers).toMatchObject([
    { id: 1 },
    { id: 2, result: { structuredContent: { title: expect.stringContaining('Slow page') } } },
  ]);
  expect(code).toBe(0);
});
