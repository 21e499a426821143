import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const exec = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Installed {
  /** The folder in which the package is installed; holds nothing else. */
  readonly folder: string;
  /** `gleaner` through the `.bin` link. */
  readonly bin: string;
  remove(): void;
}

/** Packs this clone as it is built, because other tests run that build, and installs the package as a user would. */
export async function installPacked(): Promise<Installed> {
  const folder = mkdtempSync(join(tmpdir(), 'gleaner-e2e-'));
  await exec('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], { cwd: root });
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  await exec('npm', ['install', '--silent', '--no-audit', '--no-fund', join(folder, archive)], {
    cwd: folder,
  });
  return {
    folder,
    bin: join(folder, 'node_modules', '.bin', 'gleaner'),
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}
