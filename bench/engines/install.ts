import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { cached, cacheFolder } from './cache.ts';

/** The engines that are compared with ours: no dependencies of the project, not even for development. */
const npmPackages = ['better-sqlite3@12', 'flexsearch@0.8', '@orama/orama@3'];

/** Where Python finds Tantivy. */
export const pythonFolder = `${cacheFolder}python`;

/** Installs the peers of npm into the cache, once. */
export function installNpmPeers(): void {
  const manifest = cached('npm', 'package.json');
  if (!existsSync(manifest)) writeFileSync(manifest, '{ "private": true }\n');
  const missing = npmPackages.filter(
    (name) => !existsSync(cached('npm', 'node_modules', name.replace(/@[^@]*$/, ''), 'package.json')),
  );
  if (missing.length === 0) return;
  execFileSync('npm', ['install', '--no-audit', '--no-fund', ...missing], {
    cwd: cached('npm', ''),
    stdio: 'inherit',
  });
}

/** Installs Tantivy's Python package into the cache, once; false where pip or its registry is out of reach. */
export function installTantivy(): boolean {
  if (existsSync(`${pythonFolder}/tantivy`)) return true;
  try {
    execFileSync('python3', ['-m', 'pip', 'install', '-q', '--target', pythonFolder, 'tantivy'], {
      stdio: 'inherit',
    });
    return true;
  } catch {
    return false;
  }
}

/** Names and versions of what was measured, MiniSearch included. */
export function installedVersions(withTantivy: boolean): string {
  const npm = npmPackages.map((name) => name.replace(/@[^@]*$/, ''));
  const version = (path: string): string => JSON.parse(readFileSync(path, 'utf8')).version as string;
  const versions = npm.map(
    (name) => `${name} ${version(cached('npm', 'node_modules', name, 'package.json'))}`,
  );
  versions.push(
    `minisearch ${version(fileURLToPath(new URL('../../../node_modules/minisearch/package.json', import.meta.url)))}`,
  );
  const tantivy = withTantivy
    ? readdirSync(pythonFolder).find((name) => /^tantivy-.*dist-info$/.test(name))
    : undefined;
  if (tantivy) versions.push(`tantivy (Python) ${tantivy.slice('tantivy-'.length, -'.dist-info'.length)}`);
  return versions.join(', ');
}

/** The exports of a peer that lies in the cache, by its CommonJS door. */
export function requirePeer<Exports>(name: string): Exports {
  return createRequire(cached('npm', 'package.json'))(name) as Exports;
}
