import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { startGleaner } from '../process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

test('gleaner serve answers on loopback under the names that its settings give, and opens no CORS', async () => {
  const service = startGleaner(['serve', '--port', '0', '--data', temporaryFolder()], undefined, {
    GLEANER_HOSTS: 'search.example.com',
    GLEANER_TRUST_PROXY: '127.0.0.1',
  });
  const [, url = ''] = await service.says(/listens on (\S+)/);
  await service.says(/in the index/);
  const ask = async (headers: Record<string, string>) => {
    const sent = get(`${url}/api/v1/search?q=gleaner`, { headers, agent: false });
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const { statusCode, headers: answered } = response;
    return [statusCode, answered['access-control-allow-origin'], (await text(response)).length > 0];
  };
  expect(await ask({ Origin: 'https://app.example' })).toEqual([200, undefined, true]);
  expect(await ask({ Host: 'search.example.com' })).toEqual([200, undefined, true]);
  expect(await ask({ Host: 'rebind.evil.example' })).toEqual([403, undefined, true]);
  const passedOn = { Host: 'other.example.com', 'X-Forwarded-For': '203.0.113.9' };
  expect(await ask(passedOn)).toEqual([200, undefined, true]);
});
