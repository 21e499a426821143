import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { clusterSettings } from '../src/config/cluster-settings.ts';
import { settings } from '../src/config/config.ts';
import { SearchResponse } from '../src/contract/search.ts';
import { externalSettings } from '../src/external/settings.ts';
import { table } from './http/tables.ts';
import { toolTables } from './tools/tables.ts';
import { withBlock } from './written-block.ts';

const root = new URL('../', import.meta.url);
const readme = readFileSync(new URL('README.md', root), 'utf8');

/** The tables of docs/settings.md: a setting stands in the first one whose pattern fits. */
const groups: Readonly<Record<string, (name: string) => boolean>> = {
  'settings-external': (name) => name in externalSettings,
  'settings-index': (name) => name in clusterSettings,
  'settings-access': (name) => /ACCESS|OAUTH|PRIVATE_PAGES/.test(name),
  'settings-limits': (name) => /_LIMIT$|IN_FLIGHT|TRUST_PROXY|PROXY_HEADER/.test(name),
  'settings-crawler': (name) =>
    /PRIVATE|RENDER|CHROMIUM|DOMAINS|CREDENTIALS|RECRAWL|CONTACT|LEARN/.test(name),
  'settings-service': () => true,
};

/** The settings of one table as they are defined. A key stands in one row with the file that may hold it. */
function settingsTable(group: string): string {
  const isHere = (name: string) => Object.entries(groups).find(([, fits]) => fits(name))?.[0] === group;
  const rows = Object.entries(settings)
    .filter(([name]) => isHere(name) && !/_(?:KEY|PASSWORD)_FILE$/.test(name))
    .map(([name, { about, written }]) => {
      const shown = written === undefined ? '' : `\`${written}\``;
      const file = `${name}_FILE` in settings ? ` or \`${name}_FILE\`` : '';
      return [`\`${name}\`${file}`, shown, about];
    });
  return table(['variable', 'default', 'meaning'], rows);
}

test.each([
  ['docs/settings.md', Object.fromEntries(Object.keys(groups).map((group) => [group, settingsTable(group)]))],
  [
    'docs/tools.md',
    {
      tools: toolTables.tools(),
      'web-search': toolTables.parameters('web_search'),
      'fetch-content': toolTables.parameters('fetch_content'),
      'crawl-site': toolTables.parameters('crawl_site'),
    },
  ],
])('the tables of %s are the schemas (vitest -u writes them)', async (name, blocks) => {
  const file = new URL(name, root);
  const written = Object.entries<string>(blocks).reduce(
    (text, [mark, block]) => withBlock(text, mark, block),
    readFileSync(file, 'utf8'),
  );
  await expect(written).toMatchFileSnapshot(fileURLToPath(file));
});

test('docs/settings.md names every setting', () => {
  const page = readFileSync(new URL('docs/settings.md', root), 'utf8');
  expect(Object.keys(settings).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test('the README is short, and the two commands stand in it', () => {
  expect(statSync(new URL('README.md', root)).size).toBeLessThan(8000);
  expect(readme).toContain('npm ci && npm start');
  expect(readme).toContain('npm ci && npm test');
});

test('the configuration in the README is mcp.json', () => {
  const [block] = [...readme.matchAll(/^```json\n(.*?)^```/gms)].map(([, text = '']) => JSON.parse(text));
  expect(block).toEqual(JSON.parse(readFileSync(new URL('mcp.json', root), 'utf8')));
});

test('the answer in the README has the form of an answer', () => {
  const blocks = [...readme.matchAll(/^```json\n(.*?)^```/gms)].map(([, text = '']) => JSON.parse(text));
  const answer = blocks.find((block) => 'results' in block);
  expect(SearchResponse.strict().parse(answer)).toEqual(answer);
});

test('ARCHITECTURE.md has at most 15 kB', () => {
  expect(statSync(new URL('ARCHITECTURE.md', root)).size).toBeLessThanOrEqual(15_000);
});
