import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Kept between runs; a package is downloaded once. */
const cache = join(tmpdir(), 'gleaner-e2e-debian');

/**
 * The files of a Debian package, downloaded and unpacked, not installed: the first of `names` that this Debian has.
 * Returns the folder that stands for `/`. Throws when none can be had, also with fresh package lists.
 */
export function unpackPackage(names: readonly string[]): string {
  const found = names.map((name) => join(cache, name)).find(existsSync) ?? downloadAny(names);
  if (found !== undefined) return found;
  execFileSync('apt-get', ['update', '-qq'], { stdio: 'ignore' });
  const folder = downloadAny(names);
  if (folder === undefined) throw new Error(`apt-get can download none of ${names.join(', ')}`);
  return folder;
}

function downloadAny(names: readonly string[]): string | undefined {
  for (const name of names) {
    const folder = join(cache, name);
    const download = join(cache, `${name}.download`);
    rmSync(download, { recursive: true, force: true });
    mkdirSync(download, { recursive: true });
    try {
      execFileSync('apt-get', ['download', '-qq', name], { cwd: download, stdio: 'ignore' });
    } catch {
      // The next name is that of another release.
      continue;
    }
    const archive = readdirSync(download).find((file) => file.endsWith('.deb')) ?? '';
    execFileSync('dpkg-deb', ['-x', join(download, archive), join(download, 'root')]);
    renameSync(join(download, 'root'), folder);
    rmSync(download, { recursive: true });
    return folder;
  }
  return undefined;
}
