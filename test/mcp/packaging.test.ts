import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { version } from '../../src/app/about.ts';
import { readConfig, settings } from '../../src/config/config.ts';
import { providerFacts, providerNames } from '../../src/external/provider-facts.ts';
import { tools } from '../../tools/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const text = (name: string) => readFileSync(`${root}${name}`, 'utf8');
const json = (name: string) => JSON.parse(text(name));

const manifest = json('packaging/mcpb/manifest.json');
const server = json('server.json');

test('the version is the same wherever it is written', () => {
  const lock = json('package-lock.json');
  const written = [
    json('package.json').version,
    lock.version,
    lock.packages[''].version,
    server.version,
    ...server.packages.map((offered: { version: string }) => offered.version),
    manifest.version,
  ];
  expect(new Set(written)).toEqual(new Set([version]));
});

test('the registry finds in the package the name that server.json claims', () => {
  const { name, mcpName } = json('package.json');
  expect(server.name).toBe(mcpName);
  expect(server.packages[0].identifier).toBe(name);
  expect(server.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  expect(server.description.length).toBeLessThanOrEqual(100);
});

test('server.json names settings that there are', () => {
  for (const { name, description } of server.packages[0].environmentVariables) {
    expect(Object.keys(settings)).toContain(name);
    expect(description.length).toBeGreaterThan(10);
  }
});

test('the bundle lists the tools, and starts the program of the package on the Node that it needs', () => {
  expect(manifest.tools).toEqual(tools.map(({ name, title }) => ({ name, description: title })));
  expect(manifest.server.entry_point).toBe(json('package.json').bin.gleaner);
  expect(manifest.compatibility.runtimes.node).toBe(json('package.json').engines.node);
});

test('the bundle says what leaves the machine, and each of its settings is one of ours with a way to stop it', () => {
  const { long_description: description, user_config: offered, privacy_policies: policies } = manifest;
  const { env } = manifest.server.mcp_config;
  expect(Object.keys(settings)).toEqual(expect.arrayContaining(Object.keys(env)));
  expect(Object.values(env)).toEqual(Object.keys(offered).map((name) => `\${user_config.${name}}`));
  const asked = providerNames.filter((name) => providerFacts[name].byDefault);
  for (const name of asked) expect(description).toContain(providerFacts[name].title);
  for (const name of asked) expect(text('docs/privacy.md')).toContain(providerFacts[name].title);
  for (const { title } of Object.values<{ title: string }>(offered)) expect(description).toContain(title);
  for (const policy of policies) expect(new URL(policy).protocol).toBe('https:');
});

test.each([
  ['as the bundle starts it', {}, true, 5],
  ['with all of it turned off', { external: 'off', learn: false }, false, 0],
])('the settings of the bundle are understood %s', (_, chosen, learn, providers) => {
  const values: Record<string, unknown> = chosen;
  const environment = Object.fromEntries(
    Object.entries<string>(manifest.server.mcp_config.env).map(([name, value]) => {
      const setting = value.slice('${user_config.'.length, -1);
      return [name, String(values[setting] ?? manifest.user_config[setting].default)];
    }),
  );
  const config = readConfig(environment);
  expect(config.learn).toBe(learn);
  expect(config.external.providers).toHaveLength(providers);
});

interface Entry {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly url?: string;
}

/** What the JSON blocks of docs/clients.md configure, in the order of the page. */
function entries(): Entry[] {
  const blocks = [...text('docs/clients.md').matchAll(/^```json\n(.*?)^```/gms)];
  return blocks.map(([, block = '']) => {
    const { mcpServers, servers } = JSON.parse(block);
    return (mcpServers ?? servers).gleaner;
  });
}

describe('docs/clients.md', () => {
  const here = entries().filter(({ args }) => args?.[0]?.startsWith('/opt/gleaner/'));

  test('has blocks for stdio, for stdio on Windows, and for HTTP', () => {
    const windows = entries().filter(({ args }) => args?.[0]?.startsWith('C:\\gleaner\\'));
    const http = entries().filter(({ url }) => url !== undefined);
    expect(here.length).toBeGreaterThanOrEqual(4);
    expect(windows.map(({ args }) => args?.[0]?.replace('C:\\gleaner\\', '').replaceAll('\\', '/'))).toEqual(
      windows.map(() => json('package.json').bin.gleaner),
    );
    const port = settings.GLEANER_PORT.fallback;
    expect(new Set(http.map(({ url }) => url))).toEqual(new Set([`http://127.0.0.1:${port}/mcp`]));
    expect(here.length + windows.length + http.length).toBe(entries().length);
  });

  test.each(here.map((entry) => [JSON.stringify(entry), entry] as const))('%s starts', async (_, entry) => {
    const client = new Client({ name: 'test', version: '0' });
    onTestFinished(() => client.close());
    const args = (entry.args ?? []).map((arg) => arg.replace('/opt/gleaner/', root));
    const env = { GLEANER_EXTERNAL: 'off', GLEANER_DATA: temporaryFolder() };
    await client.connect(
      new StdioClientTransport({ command: entry.command ?? '', args, env, cwd: tmpdir(), stderr: 'ignore' }),
    );
    const listed = await client.listTools();
    expect(listed.tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
  });
});
