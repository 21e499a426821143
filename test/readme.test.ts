import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { settings } from '../src/config.ts';
import { tables } from './http/tables.ts';
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
  const settled = withBlock(readFileSync(readme, 'utf8'), 'settings', settingsTable());
  await expect(withBlock(settled, 'parameters', tables.parameters())).toMatchFileSnapshot(
    fileURLToPath(readme),
  );
});
