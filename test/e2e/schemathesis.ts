import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const exec = promisify(execFile);

const packages = ['schemathesis==4.32.5', 'openapi-spec-validator==0.9.0'];
const venv = fileURLToPath(new URL('../../node_modules/.cache/schemathesis', import.meta.url));

export interface Schemathesis {
  /** Runs `schemathesis` in a folder of its own; resolves with its code and what it printed. */
  run(folder: string, args: readonly string[]): Promise<{ code: number; output: string }>;
  /** Rejects when this file is no valid OpenAPI document. */
  validate(file: string): Promise<void>;
}

/** Schemathesis in a virtual environment, which is made on first use and kept beside the other dependencies. */
export async function installSchemathesis(): Promise<Schemathesis> {
  const done = join(venv, packages.join(' '));
  if (!existsSync(done)) {
    await exec('python3', ['-m', 'venv', '--clear', venv]);
    await exec(join(venv, 'bin', 'python'), ['-m', 'pip', 'install', '--quiet', ...packages]);
    mkdirSync(done);
  }
  return {
    run: async (folder, args) => {
      const options = { cwd: folder, maxBuffer: 2 ** 26 };
      try {
        const { stdout } = await exec(join(venv, 'bin', 'schemathesis'), [...args], options);
        return { code: 0, output: stdout };
      } catch (error) {
        const {
          code,
          stdout = '',
          stderr = '',
        } = error as { code?: number; stdout?: string; stderr?: string };
        return { code: code ?? -1, output: `${stdout}${stderr}` };
      }
    },
    validate: async (file) => {
      await exec(join(venv, 'bin', 'python'), ['-m', 'openapi_spec_validator', file]);
    },
  };
}
