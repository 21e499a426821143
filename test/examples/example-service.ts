import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { startGleaner } from '../process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const pages: Readonly<Record<string, string>> = {
  'feeding.html': `<title>Feeding herons</title><h1>Feeding herons</h1><p>Feed a heron small fish in the morning.
    A heron takes them from shallow water, and never from a hand.</p>`,
  'watching.html': `<title>Watching herons</title><h1>Watching herons</h1><p>Sit still, and do not feed a heron that you
    want to watch.</p>`,
  'kites.html': '<title>Kites</title><h1>Kites</h1><p>A kite is a bird of prey, and a toy.</p>',
};

/** What the examples are asked, and what each of them has to print of the pages. */
export const exampleQuestion = 'how do I feed a heron';
export const exampleAnswer =
  /\[1\] Feeding herons\nhttps:\/\/birds\.example\/feeding\.html\n<page>\n[^<]*small fish[^<]*<\/page>\n\n\[2\] Watching herons\n/;

/** A data folder with a few pages about birds. */
export async function exampleData(): Promise<string> {
  const data = temporaryFolder();
  const site = join(temporaryFolder(), 'site');
  mkdirSync(site);
  for (const [name, html] of Object.entries(pages)) writeFileSync(join(site, name), html);
  const args = ['import', site, '--base-url', 'https://birds.example/', '--data', data];
  const { code, stderr } = await startGleaner(args).finished;
  expect(code, stderr).toBe(0);
  return data;
}

/** The origin of a service over `data`, which ends with the test. */
export async function exampleService(data: string): Promise<string> {
  const service = startGleaner(['serve', '--port', '0', '--data', data]);
  const [, origin = ''] = await service.says(/(http:\/\/127\.0\.0\.1:\d+)/);
  return origin;
}
