import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cached } from './cache.ts';

/** The file of a Debian package in the cache, with the version in its name; downloaded by apt-get when it is not there. */
export function packageFile(name: string): string {
  const debs = cached('deb', '');
  const find = () => readdirSync(debs).find((file) => file.startsWith(`${name}_`) && file.endsWith('.deb'));
  if (find() === undefined) execFileSync('apt-get', ['-q', 'download', name], { cwd: debs, stdio: 'ignore' });
  return join(debs, find() ?? `${name}.deb`);
}

/**
 * Unpacks a Debian package, installs nothing; the folder that stands for `/`. Without a folder it is a temporary one,
 * which the caller removes.
 */
export function unpackPackage(name: string, root = mkdtempSync(join(tmpdir(), 'gleaner-corpus-'))): string {
  mkdirSync(root, { recursive: true });
  execFileSync('dpkg-deb', ['-x', packageFile(name), root]);
  return root;
}
