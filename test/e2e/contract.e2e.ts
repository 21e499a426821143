import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { startGleaner } from '../process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { installSchemathesis, type Schemathesis } from './schemathesis.ts';

const examplesEach = '100';

let schemathesis: Schemathesis;

beforeAll(async () => {
  schemathesis = await installSchemathesis();
});

const unlimited = 'GLEANER_SEARCH_LIMIT=off\nGLEANER_CONTENT_LIMIT=off\nGLEANER_IN_FLIGHT_LIMIT=100\n';

/** A service over its own documentation. */
async function startService(settings: string) {
  const folder = temporaryFolder();
  const file = join(folder, 'gleaner.conf');
  writeFileSync(file, `GLEANER_PORT=0\nGLEANER_DATA=${folder}/data\n${settings}`);
  const service = startGleaner(['serve', '--config', file]);
  const [, url = ''] = await service.says(/listens on (\S+)/);
  await service.says(/in the index/);
  return { ...service, url };
}

/** Refusals of what is wrong, 413 and 414 of what is too long before it is looked at. */
const refusals = `[checks.negative_data_rejection]
expected-statuses = ["400", "401", "404", "413", "414", "429", "431"]
`;

/** What Schemathesis says of a service: that it found nothing, or everything that it printed. */
async function findings(url: string, args: readonly string[], config = ''): Promise<string> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'schemathesis.toml'), refusals + config);
  const { code, output } = await schemathesis.run(folder, [
    '--no-color',
    'run',
    `${url}/openapi.json`,
    // What else q and site must be, so that something is left to look for, no schema says.
    '--exclude-checks=positive_data_acceptance',
    `--max-examples=${examplesEach}`,
    '--workers=1',
    ...args,
  ]);
  const [counts, generated, passed] = /(\d+) generated, (\d+) passed/.exec(output) ?? [];
  console.log(`schemathesis ${args.join(' ')}: ${counts}`);
  return code === 0 && Number(generated) > 0 && generated === passed ? 'nothing' : output;
}

test('the document is valid OpenAPI 3.1', async () => {
  await schemathesis.validate(fileURLToPath(new URL('../../docs/openapi.json', import.meta.url)));
});

test('valid, boundary and hostile values are answered as the document says', async () => {
  const { url, stderr } = await startService(unlimited);
  expect(await findings(url, ['--phases=examples,coverage,fuzzing'])).toBe('nothing');
  expect(stderr()).not.toContain('"level":50');
});

test('the ids of results lead to contents', async () => {
  const { url } = await startService(unlimited);
  const finding = `[parameters]
"query.q" = "gleaner"
"query.limit" = 10
"query.offset" = 0
"query.lang" = "en"
"query.lang_priority" = "en"
"query.time_range" = "all"
"query.site" = "127.0.0.1"
`;
  expect(await findings(url, ['--phases=stateful'], finding)).toBe('nothing');
});

test('so is who asks too much', async () => {
  const { url } = await startService('GLEANER_SEARCH_LIMIT=1/1\nGLEANER_CONTENT_LIMIT=1/1\n');
  expect(await findings(url, ['--phases=examples,fuzzing'])).toBe('nothing');
  expect((await fetch(`${url}/api/v1/search?q=gleaner`)).status).toBe(429);
});

test('so is who comes with a key that is none', async () => {
  const { url } = await startService(unlimited);
  const key = { 'X-API-Key': 'gl_nobody' };
  expect(await findings(url, ['--phases=examples,fuzzing', '--header=X-API-Key: gl_nobody'])).toBe('nothing');
  expect((await fetch(`${url}/api/v1/search?q=gleaner`, { headers: key })).status).toBe(401);
});
