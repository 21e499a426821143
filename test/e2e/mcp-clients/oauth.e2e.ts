import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openAuthorisationServer } from '../../http/security/authorisation-server.ts';
import { startGleaner } from '../../process.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { installMcpPrograms } from './mcp-programs.ts';

/** The resource is named before the service that it names listens. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

test("Python's MCP client gets a token by itself, and an answer with it", async () => {
  const { python } = await installMcpPrograms();
  const port = await freePort();
  const resource = `http://127.0.0.1:${port}`;
  const { issuer, asked } = await openAuthorisationServer(resource);
  const service = startGleaner(['serve', '--port', String(port), '--data', temporaryFolder()], '', {
    GLEANER_ACCESS: 'keys',
    GLEANER_OAUTH_ISSUER: issuer,
    GLEANER_OAUTH_RESOURCE: resource,
  });
  const [, url = ''] = await service.says(/^MCP: +(\S+)$/m);
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
  const script = fileURLToPath(new URL('mcp_oauth.py', import.meta.url));
  const { stdout, stderr } = await python(script, url);
  expect(stdout, stderr).not.toBe('');
  expect(JSON.parse(stdout)).toEqual({
    tools: ['web_search', 'fetch_content'],
    results: expect.any(Number),
    scope: 'gleaner',
    registered: true,
  });
  expect(asked).toContain('/token');
});
