import { fileURLToPath } from 'node:url';
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernHttp,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult, ReadResourceResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SearchResponse } from '../../../src/contract/search.ts';
import { startProcess } from '../../process.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { type Installed, installPacked } from '../installed.ts';
import { installMcpPrograms, type McpPrograms } from './mcp-programs.ts';
import { buildRustRound } from './rust-build.ts';

let installed: Installed;
let programs: McpPrograms;
let data: string;
let url: string;

beforeAll(async () => {
  [installed, programs] = await Promise.all([installPacked(), installMcpPrograms()]);
});
afterAll(() => installed.remove());

/** Each test has a service of its own over its own documentation, and a data folder that stdio may share. */
beforeEach(async () => {
  data = temporaryFolder();
  const service = startProcess(installed.bin, ['serve', '--port', '0', '--data', data], '', {
    GLEANER_SEARCH_LIMIT: 'off',
    GLEANER_CONTENT_LIMIT: 'off',
  });
  [, url = ''] = await service.says(/^MCP: +(\S+)$/m);
});

const stdio = (): string[] => [installed.bin, 'mcp', '--data', data];

describe('the Inspector', () => {
  test.each(['stdio', 'HTTP'])('finds nothing to complain of over %s, strictly', async (transport) => {
    const target = transport === 'stdio' ? stdio() : ['--server-url', url];
    const { code, stdout, stderr } = await programs.inspector(
      '--method',
      'tools/list',
      '--strict',
      ...target,
    );
    expect(stderr).not.toMatch(/warning|error/i);
    expect(JSON.parse(stdout).tools.map(({ name }: { name: string }) => name)).toEqual([
      'web_search',
      'fetch_content',
    ]);
    expect(code).toBe(0);
  });
});

/** What `mcp_round.py` does, through the SDK's client. */
async function round(client: Pick<Client, 'listTools' | 'callTool' | 'readResource' | 'listPrompts'>) {
  const { tools } = await client.listTools();
  const call = async (name: string, args: object) =>
    (await client.callTool({ name, arguments: { ...args } })) as CallToolResult;
  const textOf = ({ content: [block] }: CallToolResult) => (block?.type === 'text' ? block.text : '');
  const found = await call('web_search', { query: 'api key', max_results: '3' });
  const { results } = found.structuredContent as unknown as SearchResponse;
  const id = results[0]?.id;
  const read = await call('fetch_content', { id, max_chars: 700 });
  const refused = await call('web_search', { q: 'x', limit: 1000 });
  const { contents } = (await client.readResource({ uri: `gleaner://page/${id}` })) as ReadResourceResult;
  const { prompts } = await client.listPrompts();
  return {
    tools: tools.map(({ name }) => name),
    ids: results.map((result) => result.id),
    same: JSON.stringify(JSON.parse(textOf(found))) === JSON.stringify(found.structuredContent),
    read: read.structuredContent,
    refused: [refused.isError, textOf(refused)],
    resource: contents[0] && 'text' in contents[0] ? contents[0].text : undefined,
    prompts: prompts.length,
  };
}

/** The SDK's clients of version 1, and of version 2 pinned to MCP 2026-07-28, over stdio and over HTTP. */
async function sdkRounds() {
  const [command = '', ...args] = stdio();
  const env = { GLEANER_EXTERNAL: 'off' };
  const rounds = [];
  for (const transport of [
    new StdioClientTransport({ command, args, env }),
    new StreamableHTTPClientTransport(new URL(url)),
  ]) {
    const client = new Client({ name: 'e2e', version: '1' });
    // The SDK's own class does not fit its interface under exactOptionalPropertyTypes.
    await client.connect(transport as Parameters<Client['connect']>[0]);
    rounds.push(await round(client));
    await client.close();
  }
  for (const transport of [new ModernStdio({ command, args, env }), new ModernHttp(new URL(url))]) {
    const mode = { pin: '2026-07-28' } as const;
    const client = new ModernClient({ name: 'e2e', version: '2' }, { versionNegotiation: { mode } });
    await client.connect(transport as Parameters<ModernClient['connect']>[0]);
    rounds.push(await round(client as unknown as Client));
    await client.close();
  }
  return rounds;
}

test("clients in Python, Go and Rust and the SDK's own get the same, over stdio and over HTTP", async () => {
  const rounds = await sdkRounds();
  const [first] = rounds;
  expect(first).toMatchObject({
    tools: ['web_search', 'fetch_content'],
    same: true,
    refused: [true, expect.stringContaining('limit: must be an integer from 1 to 100')],
    prompts: 0,
  });
  expect(first?.ids).toHaveLength(3);
  expect(first?.read).toMatchObject({ id: first?.ids[0], next_start: expect.any(Number) });

  const script = fileURLToPath(new URL('mcp_round.py', import.meta.url));
  for (const target of [stdio(), [url]]) {
    const { code, stdout, stderr } = await programs.python(script, ...target);
    expect(code, stderr).toBe(0);
    rounds.push(JSON.parse(stdout));
  }
  for (const target of programs.goRound ? [stdio(), [url]] : []) {
    const { code, stdout, stderr } = await startProcess(programs.goRound ?? '', target, '').finished;
    expect(code, stderr).toBe(0);
    rounds.push(JSON.parse(stdout));
  }
  const rust = await buildRustRound();
  for (const target of rust ? [stdio(), [url]] : []) {
    // rmcp begins with the handshake of the older revisions, or asks for 2026-07-28 alone.
    for (const lifecycle of ['initialize', 'discover']) {
      const { code, stdout, stderr } = await startProcess(rust ?? '', [lifecycle, ...target], '').finished;
      expect(code, stderr).toBe(0);
      rounds.push(JSON.parse(stdout));
    }
  }
  for (const other of rounds) expect(other).toEqual(first);
}, 1_200_000);
