import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const exec = promisify(execFile);

const cache = fileURLToPath(new URL('../../../node_modules/.cache/mcp-programs', import.meta.url));
/** The suite as it is published, and the next one, which also looks at every message on the wire. */
export const suites = ['0.1.16', '0.2.0-alpha.12'] as const;
export type Suite = (typeof suites)[number];
const suitePackages = suites.map(
  (version) => `conformance-${version}@npm:@modelcontextprotocol/conformance@${version}`,
);
const inspectorPackage = '@modelcontextprotocol/inspector@2.12.0';
const pythonPackage = 'mcp==2.3.0';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What others wrote to try an MCP server with. They need the network to be installed, and none to run. */
export interface McpPrograms {
  conformance(suite: Suite, ...args: string[]): Promise<Ran>;
  inspector(...args: string[]): Promise<Ran>;
  /** A script through Python's MCP package. */
  python(...args: string[]): Promise<Ran>;
  /** `go-round`; undefined where there is no Go. */
  readonly goRound: string | undefined;
  /** The Python that has the MCP package. */
  readonly pythonPath: string;
}

/**
 * Installs them beside the other dependencies on first use. The first two need a later Node than ours may be, which
 * comes along as a package; no install script runs.
 */
export async function installMcpPrograms(): Promise<McpPrograms> {
  const wanted = [`node-linux-${process.arch}@24`, ...suitePackages, inspectorPackage, pythonPackage];
  const done = join(cache, 'installed.json');
  const venv = join(cache, 'venv');
  if (!existsSync(done) || readFileSync(done, 'utf8') !== JSON.stringify(wanted)) {
    rmSync(cache, { recursive: true, force: true });
    mkdirSync(cache, { recursive: true });
    const packages = wanted.filter((name) => name !== pythonPackage);
    const quiet = ['--silent', '--no-audit', '--no-fund', '--ignore-scripts'];
    await exec('npm', ['install', ...quiet, '--prefix', cache, ...packages]);
    await exec('python3', ['-m', 'venv', venv]);
    await exec(join(venv, 'bin', 'python'), ['-m', 'pip', 'install', '--quiet', pythonPackage]);
    writeFileSync(done, JSON.stringify(wanted));
  }
  const modules = join(cache, 'node_modules');
  const goRound = await buildGoRound();
  const node = join(modules, `node-linux-${process.arch}`, 'bin', 'node');
  const pythonPath = join(venv, 'bin', 'python');
  return {
    pythonPath,
    goRound,
    // Two packages that each have a `conformance` share one link in `.bin`.
    conformance: (suite, ...args) =>
      run(node, [join(modules, `conformance-${suite}`, 'dist', 'index.js'), ...args]),
    inspector: (...args) => run(node, [join(modules, '.bin', 'mcp-inspector'), '--cli', ...args]),
    python: (...args) => run(pythonPath, args),
  };
}

/** Builds the round in Go, whose own cache makes that quick the second time. */
async function buildGoRound(): Promise<string | undefined> {
  const program = join(cache, 'go-round');
  try {
    await exec('go', ['version']);
  } catch {
    console.warn('there is no Go here: its MCP client is left out');
    return undefined;
  }
  await exec('go', ['build', '-o', program, '.'], {
    cwd: fileURLToPath(new URL('go-round', import.meta.url)),
  });
  return program;
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
