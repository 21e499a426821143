import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../src/app/app.ts';
import { readConfig } from '../../src/config/config.ts';
import { openProviderPool } from '../../src/external/create-providers.ts';
import { type ProviderName, providerFacts, providerNames } from '../../src/external/provider-facts.ts';
import { createProviderHealthRecorder } from '../../src/external/provider-health.ts';
import { silentLog } from '../../src/runtime.ts';
import { examplePage } from '../pages.ts';
import { startGleaner } from '../process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { documented } from './documented.ts';
import { baseOf, request } from './provider-rig.ts';
import { type Behaviour, openService } from './service.ts';

const mark = 'k3y5ecret';
/** Every key is another one, and each has the mark in it, also when it is encoded for a URL. */
const keys = Object.fromEntries(
  providerNames.flatMap((name) => {
    const { keySetting } = providerFacts[name];
    return keySetting ? [[keySetting, `${name}+${mark}/=`]] : [];
  }),
);

/** A bad service repeats all it was told: in the status line's company, in headers, in the body, in an address. */
const echo = (status: number): Behaviour => {
  return ({ path, parameters, headers, json }) => {
    const told = JSON.stringify({ path, parameters, headers, json });
    return {
      status,
      headers: {
        'x-told': told.replaceAll(/[^\x20-\x7e]/g, ''),
        location: `http://127.0.0.1:1/?${new URLSearchParams({ told })}`,
        'x-ratelimit-remaining': told.replaceAll(/[^\x20-\x7e]/g, ''),
      },
      body: { error: { code: told, message: told }, error_id: 405, error_message: told, message: told },
    };
  };
};

const behaviours: Record<string, (name: ProviderName) => Behaviour> = {
  answers: (name) => ({ body: documented[name].answer }),
  redirects: () => echo(302),
  'repeats all with 400': () => echo(400),
  'repeats all with 401': () => echo(401),
  'repeats all with 403': () => echo(403),
  'repeats all with 429': () => echo(429),
  'repeats all with 500': () => echo(500),
  'repeats all with 200': () => echo(200),
  'sends half': (name) => ({ body: JSON.stringify(documented[name].answer).slice(0, 30) }),
  'breaks the connection': () => (_, response) => {
    response.destroy();
    return null;
  },
  'speaks no HTTP': () => (_, response) => {
    response.socket?.end(`${mark} is what I heard\r\n\r\n`);
    return null;
  },
  'never answers': () => () => null,
};

test.each(Object.keys(behaviours))('no key gets out where the service %s', async (behaviour) => {
  const folder = temporaryFolder();
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) });
  const service = Object.fromEntries(
    await Promise.all(
      providerNames.map(async (name) => [name, await openService(behaviours[behaviour]?.(name) ?? {})]),
    ),
  );
  const { external } = readConfig({
    ...keys,
    GLEANER_EXTERNAL: providerNames.join(','),
    GLEANER_SEARXNG_URL: `http://user:${mark}@127.0.0.1/`,
    GLEANER_MEDIAWIKI_URL: `http://user:${mark}@127.0.0.1/w/api.php`,
    GLEANER_PEER_URL: `http://user:${mark}@127.0.0.1/`,
    GLEANER_EXTERNAL_DEADLINE_MS: behaviour === 'never answers' ? '1000' : '20000',
  });
  const file = join(folder, 'external.json');
  const health = createProviderHealthRecorder({ file, now: Date.now, log });
  const baseUrls = Object.fromEntries(
    providerNames.map((name) => {
      const origin = service[name].origin.replace('//', `//user:${mark}@`);
      return [name, baseOf(name, external.keys[name] ? service[name].origin : origin)];
    }),
  );
  const { observe } = health;
  const pool = openProviderPool({ config: external, userAgent: 'Gleaner/0', log, observe, baseUrls });
  onTestFinished(() => pool.close());
  const asked = await pool.searchAll(request('tokio'));
  await pool.close();
  await health.close();

  const sent = JSON.stringify(providerNames.map((name) => service[name].asked));
  expect(sent.split(mark).length).toBeGreaterThan(providerNames.length / 2);
  expect(asked.states.map(({ state }) => state.kind)).not.toContain('unfit');
  const out = [
    ...lines,
    JSON.stringify(asked),
    inspect(asked, { depth: 20, showHidden: true }),
    inspect(pool, { depth: 20, showHidden: true }),
    readFileSync(file, 'utf8'),
  ].join('\n');
  expect(out).toContain('stackexchange');
  expect(out).not.toContain(mark);
  // Basic authentication is the secret in another dress.
  expect(out).not.toContain(Buffer.from(`user:${mark}`).toString('base64').slice(0, 12));
});

/** Everything in the files of a folder, as text. */
function contents(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

test('no key is in anything that the commands print, log, answer or store', async () => {
  const data = temporaryFolder();
  const app = openApp({ config: { dataFolder: data }, log: silentLog });
  await app.pageWriter.put(examplePage({ url: 'https://example.org/', body: 'Something about tokio.' }));
  await app.close();
  const searxng = await openService(echo(500));
  const wiki = await openService(echo(401));
  const peer = await openService({ body: documented.gleaner.answer });
  const environment = {
    ...keys,
    GLEANER_EXTERNAL: 'searxng,mediawiki,gleaner',
    GLEANER_SEARXNG_URL: searxng.origin.replace('//', `//user:${mark}@`),
    GLEANER_MEDIAWIKI_URL: `${wiki.origin.replace('//', `//user:${mark}@`)}/w/api.php`,
    GLEANER_PEER_URL: peer.origin,
    GLEANER_LOG: 'debug',
    GLEANER_LOG_QUERIES: '1',
    GLEANER_EXTERNAL_DEADLINE_MS: '20000',
  };
  const start = (args: string[], input?: 'open') =>
    startGleaner([...args, '--data', data], input, environment);

  const searched = await start(['search', 'tokio', '--json']).finished;
  expect(searched.stdout).toContain('https://tokio.rs/');
  const status = await start(['status']).finished;
  expect(status.stdout).toMatch(/searxng +on +with GLEANER_SEARXNG_URL; failed .* not available now \(500\)/);
  expect(status.stdout).toMatch(/gleaner +on +with GLEANER_PEER_URL and GLEANER_PEER_KEY; answered/);
  expect(status.stdout).toMatch(/brave +off +is not named in GLEANER_EXTERNAL/);

  const service = start(['serve', '--port', '0'], 'open');
  const [, url = ''] = await service.says(/listens on (\S+)/);
  await service.says(/in the index/);
  const answers: string[] = [];
  for (const path of ['/api/v1/search?q=tokio', '/readyz', '/healthz', '/metrics', '/openapi.json', '/']) {
    const response = await fetch(new URL(path, url));
    answers.push(inspect(response.headers), await response.text());
  }
  service.child.kill('SIGTERM');
  const served = await service.finished;

  const heard = JSON.stringify([searxng.asked, wiki.asked, peer.asked]);
  expect(heard).toContain(mark);
  expect(heard).toContain(Buffer.from(`user:${mark}`).toString('base64'));
  const wrong = await startGleaner(['status'], undefined, { GLEANER_BRAVE_KEY: `two ${mark}` }).finished;
  const out = [searched, status, served, wrong].flatMap(({ stdout, stderr }) => [stdout, stderr]);
  const all = [...out, ...answers, contents(data)].join('\n');
  expect(all).toContain('SearXNG is not available now (500)');
  expect(all).not.toContain(mark);
});
