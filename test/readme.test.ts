import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { settings } from '../src/config.ts';
import { tables } from './http/tables.ts';
import { toolTables } from './tools/tables.ts';
import { withBlock } from './written-block.ts';

const readme = new URL('../README.md', import.meta.url);

/** The table of settings as the schema says it. */
function settingsTable(): string {
  const rows = Object.entries(settings).map(([name, schema]) => {
    const fallback = schema.safeParse(undefined).data;
    const shown = fallback === undefined || fallback === false ? '' : `\`${fallback}\``;
    return `| \`${name}\` | ${shown} | ${schema.description} |`;
  });
  return ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n');
}

test('the tables in the README are the schemas (vitest -u writes them)', async () => {
  const blocks = {
    settings: settingsTable(),
    parameters: tables.parameters(),
    tools: toolTables.tools(),
    'fetch-content': toolTables.parameters('fetch_content'),
  };
  const written = Object.entries(blocks).reduce(
    (text, [mark, block]) => withBlock(text, mark, block),
    readFileSync(readme, 'utf8'),
  );
  await expect(written).toMatchFileSnapshot(fileURLToPath(readme));
});
