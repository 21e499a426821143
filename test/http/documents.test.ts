import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { version } from '../../src/app/about.ts';
import { openApiDocument } from '../../src/http/openapi/openapi.ts';
import { withBlock } from '../written-block.ts';
import { tables } from './tables.ts';

const fileOf = (name: string) => fileURLToPath(new URL(`../../docs/${name}`, import.meta.url));

test('the tables of docs/http.md are the schemas (vitest -u writes them)', async () => {
  const file = fileOf('http.md');
  let text = readFileSync(file, 'utf8');
  for (const [mark, table] of Object.entries(tables)) text = withBlock(text, mark, table());
  await expect(text).toMatchFileSnapshot(file);
});

test('docs/openapi.json is what the service serves (vitest -u writes it)', async () => {
  const written = `${JSON.stringify(openApiDocument(version), null, 2)}\n`;
  await expect(written).toMatchFileSnapshot(fileOf('openapi.json'));
});
