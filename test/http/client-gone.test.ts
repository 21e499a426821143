import { request } from 'node:http';
import { expect, test } from 'vitest';
import { openService } from '../external/service.ts';
import { startGleaner } from '../process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** The service over an empty folder, and a search service that is asked and never answers. */
async function serveBesideSilence() {
  const silent = await openService(() => null);
  const service = startGleaner(['serve', '--port', '0', '--data', temporaryFolder()], '', {
    GLEANER_EXTERNAL: 'searxng',
    GLEANER_SEARXNG_URL: silent.origin,
    GLEANER_EXTERNAL_DEADLINE_MS: '30000',
    GLEANER_LOG: 'info',
  });
  const [, url = ''] = await service.says(/listens on (\S+)/);
  await service.says(/in the index/);
  return { silent, service, url };
}

/** As pino has it; 40 and more are warnings and errors. */
const info = 30;

const call = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'web_search', arguments: { q: 'herons' } },
};

test.each([
  ['/api/v1/search?q=owls', 'GET', '', '/api/v1/search'],
  ['/mcp', 'POST', JSON.stringify(call), '/mcp'],
])(
  'a client that goes away before its answer counts as 499, and is no error: %s',
  async (path, method, body, route) => {
    const { silent, service, url } = await serveBesideSilence();
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const leaving = request(new URL(path, url), { method, headers });
    leaving.on('error', () => {});
    leaving.end(body);
    await expect.poll(() => silent.asked.length).toBe(1);
    leaving.destroy();

    const [line] = await service.says(new RegExp(`.*"path":"${route}".*}`));
    expect(JSON.parse(line)).toMatchObject({ level: info, method, status: 499 });
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toContain(
      `gleaner_http_requests_total{route="${route}",method="${method}",status="499"} 1`,
    );
    expect(metrics).not.toMatch(/status="5\d\d"/);
    service.child.kill('SIGTERM');
    const { stderr } = await service.finished;
    expect(stderr).not.toMatch(/"level":[456]0/);
  },
);
