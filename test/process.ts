import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const builtBin = fileURLToPath(new URL('../bin/gleaner.mjs', import.meta.url));

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export type Environment = Readonly<Record<string, string>>;

/**
 * A process under test: its output so far and its end. It dies with the test that started it, and asks no other
 * service unless `more` says so.
 */
export function startProcess(
  command: string,
  args: readonly string[],
  input: 'open' | string = '',
  more: Environment = {},
) {
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH, HOME: '/nonexistent', GLEANER_EXTERNAL: 'off', ...more },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  if (input !== 'open') child.stdin.end(input);
  const finished = once(child, 'close').then(([code]): Finished => ({ code, stdout, stderr }));
  /** Resolves with the match once stderr holds it; rejects when the process ends before. */
  const says = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const match = pattern.exec(stderr);
        if (match) resolve(match);
      };
      child.stderr.on('data', look);
      child.once('close', () => reject(new Error(`ended without saying ${pattern}: ${stderr}`)));
      look();
    });
  return { child, finished, says, stderr: () => stderr };
}

/** The built command line of this clone. */
export function startGleaner(args: readonly string[], input?: string, more?: Environment) {
  return startProcess(process.execPath, [builtBin, ...args], input, more);
}

export function runGleaner(...args: string[]): Promise<Finished> {
  return startGleaner(args).finished;
}
