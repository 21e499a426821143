import { vi } from 'vitest';
import { run } from '../src/main.ts';
import type { Finished } from './process.ts';

/**
 * Runs the command line in this process, which takes a moment where a process of its own takes seconds. Not for commands
 * that wait for signals.
 */
export async function runHere(...args: string[]): Promise<Finished> {
  let stdout = '';
  let stderr = '';
  vi.stubEnv('GLEANER_EXTERNAL', 'off');
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    stdout += text;
    return true;
  });
  const err = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr += text;
    return true;
  });
  const before = process.exitCode;
  process.exitCode = 0;
  try {
    await run(['node', 'gleaner', ...args]);
    return { code: Number(process.exitCode), stdout, stderr };
  } finally {
    process.exitCode = before;
    out.mockRestore();
    err.mockRestore();
    vi.unstubAllEnvs();
  }
}
