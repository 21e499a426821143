import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { settings } from '../src/config/config.ts';
import { temporaryFolder } from './temporary-folder.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const text = readFileSync(join(root, 'docs/deploy.md'), 'utf8');
const block = (language: string): string =>
  new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(text)?.[1] ?? expect.unreachable(language);

test('the systemd unit is one', (context) => {
  const unit = join(temporaryFolder(), 'gleaner.service');
  // The paths and the user of a machine where it is installed.
  const here = block('ini')
    .replace('/usr/bin/node', process.execPath)
    .replace('User=gleaner', 'User=root')
    .replace(/\/opt\S+gleaner\.mjs/, join(root, 'bin/gleaner.mjs'));
  writeFileSync(unit, here);
  const { error, status, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
  if (error) return context.skip(`no systemd-analyze here: ${error.message}`);
  expect([status, stderr]).toEqual([0, '']);
});

test('what the Dockerfile copies is there', () => {
  const copied = [...block('dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, files]) =>
    (files as string).split(' '),
  );
  expect(copied).toContain('package.json');
  expect(copied.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

test('the image has all of the build that the package has', () => {
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: string[] };
  const built = files.filter((file) => file.startsWith('dist/'));
  expect(built).toContain('dist/bundle');
  for (const file of built) expect(block('dockerfile')).toContain(`COPY --from=build /src/${file} ${file}\n`);
});

test('every setting that the page names exists', () => {
  const named = new Set(text.match(/GLEANER_\w+/g));
  expect([...named].filter((name) => !(name in settings))).toEqual([]);
});

const packaged = join(root, 'packaging/opensearch');

interface Service {
  readonly environment?: Record<string, string>;
  readonly entrypoint?: readonly string[];
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
}

test('the compose file has three nodes, a writer, and front ends without a data folder behind HAProxy', (context) => {
  const toJson = 'import json,sys,yaml; print(json.dumps(yaml.safe_load(sys.stdin)))';
  const input = readFileSync(join(packaged, 'compose.yaml'));
  const { status, stdout } = spawnSync('python3', ['-c', toJson], { input, encoding: 'utf8' });
  if (status !== 0) return context.skip('no python3-yaml here');
  const { services, volumes } = JSON.parse(stdout) as { services: Record<string, Service>; volumes: object };
  const named = Object.keys(services);
  const nodes = named.filter((name) => name.startsWith('node-'));
  const fronts = named.filter((name) => name.startsWith('front-'));
  expect([nodes.length, fronts.length]).toEqual([3, 2]);
  for (const name of nodes)
    expect(services[name]?.environment?.['discovery.seed_hosts']?.split(',')).toEqual(nodes);
  for (const name of ['writer', ...fronts]) {
    const { environment = {} } = services[name] ?? {};
    const urls = nodes.map((node) => `http://${node}:9200`).join(',');
    expect(environment).toMatchObject({ GLEANER_INDEX: 'opensearch', OPENSEARCH_URL: urls });
    expect(Object.keys(environment).filter((setting) => !(setting in settings))).toEqual([]);
  }
  for (const name of fronts) {
    expect(services[name]?.entrypoint?.slice(0, 3)).toEqual(['env', '-u', 'GLEANER_DATA']);
    expect(services[name]?.volumes).toBeUndefined();
  }
  const servers = readFileSync(join(packaged, 'haproxy.cfg'), 'utf8').matchAll(/^ +server \S+ (\S+)$/gm);
  expect([...servers].map(([, address]) => address)).toEqual(fronts.map((name) => `${name}:8080`));
  const mounted = Object.values(services).flatMap(({ volumes: own = [] }) =>
    own.map((one) => one.split(':')[0]),
  );
  const known = [...Object.keys(volumes), './haproxy.cfg'];
  expect(mounted.filter((one) => !known.includes(one as string))).toEqual([]);
  // What can be reached from elsewhere is HAProxy, on loopback.
  expect(named.flatMap((name) => services[name]?.ports ?? [])).toEqual(['127.0.0.1:8080:8080']);
});

test('the configuration of HAProxy is one', (context) => {
  const { error, status, stderr } = spawnSync('haproxy', ['-c', '-f', join(packaged, 'haproxy.cfg')], {
    encoding: 'utf8',
  });
  if (error) return context.skip(`no haproxy here: ${error.message}`);
  expect([status, stderr]).toEqual([0, expect.not.stringContaining('[ALERT]')]);
});
