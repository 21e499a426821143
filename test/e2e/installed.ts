import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
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

/** Packs this clone and installs the package elsewhere, as a user would. */
export async function installPacked(): Promise<Installed> {
  const folder = mkdtempSync(join(tmpdir(), 'gleaner-e2e-'));
  await exec('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: root });
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

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process under test: its output so far, and its end. */
export function start(command: string, args: readonly string[]) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const finished = once(child, 'close').then(([code]): Finished => ({ code, stdout, stderr }));
  return {
    child,
    finished,
    stderr: () => stderr,
    /** Resolves with the match once stderr holds it; rejects when the process ends before. */
    says: (pattern: RegExp): Promise<RegExpExecArray> =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(stderr);
          if (match) resolve(match);
        };
        child.stderr.on('data', look);
        child.once('close', () => reject(new Error(`ended without saying ${pattern}: ${stderr}`)));
        look();
      }),
  };
}

export async function run(command: string, args: readonly string[]): Promise<Finished> {
  return start(command, args).finished;
}
