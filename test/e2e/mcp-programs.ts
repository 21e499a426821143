import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const exec = promisify(execFile);

const cache = fileURLToPath(new URL('../../node_modules/.cache/mcp-programs', import.meta.url));
const conformancePackage = '@modelcontextprotocol/conformance@0.1.16';
const inspectorPackage = '@modelcontextprotocol/inspector@2.12.0';
const pythonPackage = 'mcp==2.3.0';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What others wrote to try an MCP server with. They need the network to be installed, and none to run. */
export interface McpPrograms {
  conformance(...args: string[]): Promise<Ran>;
  inspector(...args: string[]): Promise<Ran>;
  /** A script through Python's MCP package. */
  python(...args: string[]): Promise<Ran>;
}

/**
 * Installs them beside the other dependencies on first use. The first two need a later Node than ours may be, which
 * comes along as a package; no install script runs.
 */
export async function installMcpPrograms(): Promise<McpPrograms> {
  const wanted = [`node-linux-${process.arch}@24`, conformancePackage, inspectorPackage, pythonPackage];
  const done = join(cache, 'installed.json');
  const venv = join(cache, 'venv');
  if (!existsSync(done)) {
    rmSync(cache, { recursive: true, force: true });
    mkdirSync(cache, { recursive: true });
    const packages = wanted.filter((name) => name !== pythonPackage);
    const quiet = ['--silent', '--no-audit', '--no-fund', '--ignore-scripts'];
    await exec('npm', ['install', ...quiet, '--prefix', cache, ...packages]);
    await exec('python3', ['-m', 'venv', venv]);
    await exec(join(venv, 'bin', 'python'), ['-m', 'pip', 'install', '--quiet', pythonPackage]);
    writeFileSync(done, JSON.stringify(wanted));
  }
  const node = join(cache, 'node_modules', `node-linux-${process.arch}`, 'bin', 'node');
  const bin = (name: string): string => join(cache, 'node_modules', '.bin', name);
  return {
    conformance: (...args) => run(node, [bin('conformance'), ...args]),
    inspector: (...args) => run(node, [bin('mcp-inspector'), '--cli', ...args]),
    python: (...args) => run(join(venv, 'bin', 'python'), args),
  };
}

async function run(command: string, args: readonly string[]): Promise<Ran> {
  // What they keep and what they write goes where it is thrown away.
  const env = { PATH: process.env.PATH, HOME: cache, GLEANER_EXTERNAL: 'off' };
  const options = { env, cwd: cache, maxBuffer: 2 ** 26, timeout: 120_000 };
  try {
    return { code: 0, ...(await exec(command, [...args], options)) };
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: number; stdout?: string; stderr?: string };
    return { code: typeof code === 'number' ? code : -1, stdout, stderr: stderr || String(error) };
  }
}
