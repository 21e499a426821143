import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

const read = (name: string) => readFile(new URL(`../../${name}`, import.meta.url), 'utf8');

test('mcp.json and the .mcp.json that clients look for are the same', async () => {
  expect(await read('.mcp.json')).toBe(await read('mcp.json'));
});

test('mcp.json starts the program that the package offers', async () => {
  const { mcpServers } = JSON.parse(await read('mcp.json'));
  const { bin } = JSON.parse(await read('package.json'));
  expect(mcpServers.gleaner).toEqual({ type: 'stdio', command: 'node', args: [bin.gleaner, 'mcp'], env: {} });
});
