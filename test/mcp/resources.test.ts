import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { countTokens } from 'gpt-tokenizer/encoding/cl100k_base';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import { createLegacyServer } from '../../src/mcp/legacy/server.ts';
import { createMcpOffer } from '../../src/mcp/mcp-offer.ts';
import { silentLog } from '../../src/runtime.ts';
import { defaultToolNames } from '../../tools/tool-names.ts';
import { engineThat, heronAlmanac, openLibrary } from '../tools/library.ts';

let engine: Engine;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ engine, close } = await openLibrary());
});
afterAll(() => close());

async function connect(of: Engine = engine): Promise<Client> {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const offer = createMcpOffer({
    engine: async () => of,
    tools: defaultToolNames,
    log: silentLog,
    version: '1.2.3',
  });
  const server = createLegacyServer({ offer, log: silentLog });
  const client = new Client({ name: 'test', version: '0' });
  await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
  onTestFinished(() => client.close());
  return client;
}

async function textAt(client: Client, uri: string): Promise<string> {
  const [content, ...more] = (await client.readResource({ uri })).contents;
  expect(more).toEqual([]);
  expect(content?.uri).toBe(uri);
  return content && 'text' in content ? content.text : '';
}

test('the index says how large it is', async () => {
  const client = await connect();
  const listed = (await client.listResources()).resources;
  expect(listed.map(({ uri }) => uri)).toEqual(['gleaner://status']);
  expect(JSON.parse(await textAt(client, 'gleaner://status'))).toEqual(engine.status());
});

test('a page is its text below its title, address and dates, each on one line', async () => {
  const client = await connect();
  const [template] = (await client.listResourceTemplates()).resourceTemplates;
  const uri = String(template?.uriTemplate.replace('{id}', heronAlmanac.id));
  const text = await textAt(client, uri);
  expect(text).toMatch(/^# The heron almanac\n/);
  expect(text).toContain(`\n- address: ${heronAlmanac.url}\n`);
  expect(text.length).toBeLessThanOrEqual(50_000);
});

test('a page too long for an answer says where it goes on', async () => {
  const record = await engine.content(heronAlmanac.id);
  const long = { ...record, body_text: 'A sentence of some words.\n'.repeat(4000) };
  const client = await connect({ ...engine, content: async () => long });
  const text = await textAt(client, `gleaner://page/${heronAlmanac.id}`);
  expect(text.length).toBeLessThanOrEqual(50_000);
  const start = Number(/start (\d+) reads the rest/.exec(text)?.[1]);
  expect(long.body_text.slice(0, start)).toMatch(/words\.\n$/);
  expect(text).toContain(long.body_text.slice(start - 500, start));
});

test('a page in Chinese stays below 25,000 tokens too, and its hidden characters are gone', async () => {
  const record = await engine.content(heronAlmanac.id);
  const body_text = '数据库的索引如何\u200b优化？首先要了解\u{e0041}查询的执行计划。\n'.repeat(4000);
  const client = await connect({ ...engine, content: async () => ({ ...record, body_text }) });
  const text = await textAt(client, `gleaner://page/${heronAlmanac.id}`);
  expect(countTokens(text)).toBeLessThan(25_000);
  expect(text).toContain('quoted from the web');
  expect(text).toContain('数据库的索引如何优化？首先要了解查询的执行计划。');
  expect(text).not.toMatch(/\p{Cf}/u);
});

test.each(['gleaner://page/nothing', 'gleaner://nowhere', 'file:///etc/passwd'])(
  '%s is refused as a resource that is not there',
  async (uri) => {
    const client = await connect();
    await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32002, data: { uri } });
  },
);

test('what breaks inside is not shown', async () => {
  const broken = engineThat(() => Promise.reject(new Error('secret path /home/x')));
  const client = await connect(broken);
  await expect(client.readResource({ uri: `gleaner://page/${heronAlmanac.id}` })).rejects.toThrow(
    /^MCP error -32603: Internal error\.$/,
  );
});
