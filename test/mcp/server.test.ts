import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ServiceError } from '../../src/contract/errors.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { createLegacyServer } from '../../src/mcp/legacy/server.ts';
import { createMcpOffer } from '../../src/mcp/mcp-offer.ts';
import { type Log, silentLog } from '../../src/runtime.ts';
import { defaultToolNames } from '../../tools/tool-names.ts';
import { engineThat, heronAlmanac, openLibrary } from '../tools/library.ts';

let engine: Engine;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ engine, close } = await openLibrary());
});
afterAll(() => close());

async function connect(
  of: () => Promise<Engine> = async () => engine,
  log: Log = silentLog,
): Promise<Client> {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const offer = createMcpOffer({ engine: of, tools: defaultToolNames, log, version: '1.2.3' });
  const server = createLegacyServer({ offer, log });
  const client = new Client({ name: 'test', version: '0' });
  await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
  onTestFinished(() => client.close());
  return client;
}

async function call(client: Client, name: string, args: object): Promise<CallToolResult> {
  return (await client.callTool({ name, arguments: { ...args } })) as CallToolResult;
}

function textOf({ content }: CallToolResult): string {
  const [block, ...more] = content;
  expect(more).toEqual([]);
  return block?.type === 'text' ? block.text : '';
}

describe('what a client sees', () => {
  test('is what was promised', async () => {
    const client = await connect();
    const seen = {
      server: client.getServerVersion(),
      instructions: client.getInstructions(),
      capabilities: client.getServerCapabilities(),
      ...(await client.listTools()),
      ...(await client.listResources()),
      ...(await client.listResourceTemplates()),
    };
    await expect(`${JSON.stringify(seen, null, 2)}\n`).toMatchFileSnapshot('advertised.json.snap');
  });

  test('fits what clients read of it', async () => {
    const client = await connect();
    expect(Buffer.byteLength(client.getInstructions() ?? '')).toBeLessThan(2048);
  });

  test('has input schemas without unions, references or closed doors, and strict output schemas', async () => {
    for (const { inputSchema, outputSchema, ...rest } of (await (await connect()).listTools()).tools) {
      expect(JSON.stringify(inputSchema)).not.toMatch(
        /anyOf|oneOf|allOf|\$ref|\$defs|"type":\[|additionalProperties/,
      );
      expect(JSON.stringify(outputSchema)).not.toMatch(/\$ref|\$defs|"type":\[/);
      expect(outputSchema?.additionalProperties).toBe(false);
      expect(rest).not.toHaveProperty('execution');
    }
  });

  test('holds no prompts, and says so', async () => {
    const client = await connect();
    expect((await client.listPrompts()).prompts).toEqual([]);
  });
});

describe('a call', () => {
  test('carries the same object in the structured content and in the text', async () => {
    const client = await connect();
    await client.listTools();
    const found = await call(client, 'web_search', { q: 'heron almanac', limit: '3', lang: null });
    expect(found.structuredContent).toMatchObject({ total: 1, results: [{ id: heronAlmanac.id }] });
    expect(JSON.parse(textOf(found))).toEqual(found.structuredContent);

    const read = await call(client, 'fetch_content', { id: heronAlmanac.id, max_chars: 500 });
    expect(read.structuredContent).toMatchObject({
      total_chars: heronAlmanac.body.length,
      author: 'A. Watcher',
    });
    expect(JSON.parse(textOf(read))).toEqual(read.structuredContent);
  });

  test('with bad arguments is told every one of them', async () => {
    const client = await connect();
    const result = await call(client, 'web_search', { limit: 500, time_range: '2d' });
    expect(result).toMatchObject({ isError: true });
    expect(result).not.toHaveProperty('structuredContent');
    expect(textOf(result)).toBe(
      'Invalid parameters: q: is required; limit: must be an integer from 1 to 100; ' +
        'time_range: must be one of 1d, 7d, 30d, 1y, all. Correct them and call web_search again.',
    );
  });

  test('that the engine refuses is told why', async () => {
    const client = await connect();
    const result = await call(client, 'fetch_content', { id: '0'.repeat(26) });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/^Not found: .*local/);
  });

  test('that must wait is told how long', async () => {
    const busy = new ServiceError('rate_limited', 'too many searches', { retryAfterSeconds: 7 });
    const client = await connect(async () => engineThat(() => Promise.reject(busy)));
    const result = await call(client, 'web_search', { q: 'x' });
    expect(textOf(result)).toContain('Wait 7 seconds before calling web_search again.');
  });

  test('that meets a bug learns nothing of it, and the log everything', async () => {
    const bug = new Error('secret: /etc/passwd');
    const errors: object[] = [];
    const log = { ...silentLog, error: (details: object) => errors.push(details) };
    const client = await connect(async () => engineThat(() => Promise.reject(bug)), log);
    const result = await call(client, 'web_search', { q: 'x' });
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result)).not.toContain('secret');
    expect(errors).toEqual([{ err: bug, tool: 'web_search' }]);
  });

  test('of a tool that does not exist is a protocol error naming those that do', async () => {
    const client = await connect();
    await expect(call(client, 'search', {})).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('Unknown tool: search. The tools are: web_search, fetch_content.'),
    });
  });

  test('that is cancelled aborts the engine', async () => {
    const cancel = new AbortController();
    const stopped = new Promise<void>((resolve) => {
      const hanging = engineThat(
        (signal) =>
          new Promise((_, reject) => {
            signal?.addEventListener('abort', () => {
              resolve();
              reject(signal.reason);
            });
            cancel.abort();
          }),
      );
      void connect(async () => hanging).then((client) =>
        client
          .callTool({ name: 'web_search', arguments: { q: 'x' } }, undefined, { signal: cancel.signal })
          .catch(() => {}),
      );
    });
    await stopped;
  });
});

describe('the engine', () => {
  test('is not needed for the handshake nor for the list of tools', async () => {
    const client = await connect(() => new Promise(() => {}));
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['web_search', 'fetch_content']);
  });

  test('that cannot be opened is told to whoever calls', async () => {
    const client = await connect(() =>
      Promise.reject(new ServiceError('unavailable', 'the data folder is gone')),
    );
    const result = await call(client, 'web_search', { q: 'x' });
    expect(textOf(result)).toBe('Not available now: the data folder is gone.');
  });
});
