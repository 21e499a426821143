import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { unpackPackage } from './engines/unpack-package.ts';

/** Some 115,000 pages: references, guides, tutorials, a handbook in 22 languages. */
const packages = [
  'rust-doc openjdk-17-doc cppreference-doc-en-html python-scipy-doc qtbase5-doc-html linux-doc-6.1 postgresql-doc-15',
  'libboost1.81-doc ghc-doc debian-handbook libstdc++-12-doc python-pandas-doc scala-doc wx3.2-doc opencv-doc',
  'libeigen3-doc erlang-doc gimp-help-en llvm-14-doc python-django-doc sqlite3-doc python-sympy-doc libgtk-3-doc',
  'nodejs-doc lazarus-doc-2.2',
].flatMap((line) => line.split(' '));

const gleaner = fileURLToPath(new URL('../../bin/gleaner.mjs', import.meta.url));

/**
 * Fills the data folder `--data FOLDER` with the documentation of Debian packages, each a site of its own, as `gleaner import`
 * does: for benches over real pages. It takes most of an hour. `--packages NAME,NAME` names others.
 */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { data: { type: 'string' }, packages: { type: 'string', default: packages.join(',') } },
  });
  if (values.data === undefined) throw new Error('documentation needs --data FOLDER');
  for (const name of values.packages.split(',')) {
    const root = unpackPackage(name);
    const site = `https://${name.replace(/[^a-z0-9]+/g, '-')}.example.org/`;
    const command = [gleaner, 'import', join(root, 'usr/share'), '--base-url', site, '--data', values.data];
    console.log(name);
    spawnSync(process.execPath, [...command, '--quiet'], { stdio: ['ignore', 'inherit', 'inherit'] });
    rmSync(root, { recursive: true, force: true });
  }
}
