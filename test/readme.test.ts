import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { settings } from '../src/config.ts';

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

/** Replaces what stands between the two marks. */
function withBlock(text: string, mark: string, block: string): string {
  return text.replace(
    new RegExp(`(<!-- ${mark} -->\n)[^]*?(<!-- /${mark} -->)`),
    (_, begin: string, end: string) => `${begin}${block}\n${end}`,
  );
}

test('the table of settings in the README is the schema (vitest -u writes it)', async () => {
  const written = withBlock(readFileSync(readme, 'utf8'), 'settings', settingsTable());
  await expect(written).toMatchFileSnapshot(fileURLToPath(readme));
});
