import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const writerProcess = fileURLToPath(new URL('./writer-process.mjs', import.meta.url));

/** Another process that holds the writer's place of a data folder and puts pages for as long as it lives. */
export function startWriter(folder: string) {
  const child = spawn(process.execPath, [writerProcess, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    printed += text;
  });
  const acknowledged = () => printed.split('\n').slice(0, -1);
  const reaches = async (count: number) => {
    while (acknowledged().length < count) await once(child.stdout, 'data');
  };
  return { child, acknowledged, reaches };
}
