import { execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const exec = promisify(execFile);

const source = fileURLToPath(new URL('rust-round', import.meta.url));
/** Cargo keeps there what it has built, and lets one build at a time in. */
const target = fileURLToPath(new URL('../../../node_modules/.cache/rust-round', import.meta.url));
const command = ['cargo', 'build', '--quiet', '--locked', '--target-dir', target];
/** The first Rust that `rmcp` and what it needs are written for (1.63 is Debian 12's). */
const minRustMinor = 88;

/** Builds `rust-round`, or waits for who builds it already; undefined where there is no Rust, or one that is too old. */
export async function buildRustRound(): Promise<string | undefined> {
  if (!(await hasRust())) {
    console.warn(`there is no Rust 1.${minRustMinor} or later here: its MCP client is left out`);
    return undefined;
  }
  await exec('nice', command, { cwd: source });
  return join(target, 'debug', 'rust-round');
}

/**
 * Vitest's global setup: the build takes some two minutes of processor time, so it begins beside the runs that come before
 * and mostly wait. A run of chosen files builds when it needs it.
 */
export default async function setup(project: { vitest: { filenamePattern?: string[] } }) {
  if (project.vitest.filenamePattern?.length || !(await hasRust())) return;
  const build = spawn('nice', command, { cwd: source, stdio: 'ignore' });
  return () => void build.kill();
}

async function hasRust(): Promise<boolean> {
  try {
    const { stdout } = await exec('cargo', ['--version']);
    return Number(/^cargo 1\.(\d+)/.exec(stdout)?.[1]) >= minRustMinor;
  } catch {
    return false;
  }
}
