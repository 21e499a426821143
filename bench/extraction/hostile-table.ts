import { fork } from 'node:child_process';
import { hostilePages } from './hostile-pages.ts';
import type { HostileReport } from './hostile-process.ts';

const heapMegabytes = 1024;

/** What hostile pages cost. */
export async function hostileTable(): Promise<string> {
  const rows = ['| page | outcome | CPU s | most memory, MB |', '|---|---|---|---|'];
  for (const name of Object.keys(hostilePages)) {
    const { outcome, cpuSeconds, peakMegabytes } = await read(name);
    rows.push(`| ${name} | ${outcome} | ${cpuSeconds.toFixed(2)} | ${Math.round(peakMegabytes)} |`);
  }
  return rows.join('\n');
}

/** What so many pages and documents cost that were damaged at random. */
export async function fuzzTable(counts: Readonly<Record<'pages' | 'documents', number>>): Promise<string> {
  const rows = ['| fuzz | outcome | CPU s, the slowest one | most memory, MB |', '|---|---|---|---|'];
  for (const [name, count] of Object.entries(counts)) {
    const { outcome, cpuSeconds, slowestSeconds, peakMegabytes } = await read(name, String(count));
    rows.push(
      `| ${count} ${name} | ${outcome} | ${cpuSeconds.toFixed(1)}, ${slowestSeconds.toFixed(2)} | ${Math.round(peakMegabytes)} |`,
    );
  }
  return rows.join('\n');
}

/** Runs one in a process of its own; one that dies is an outcome. */
function read(...args: string[]): Promise<HostileReport> {
  return new Promise((resolve) => {
    const child = fork(new URL('./hostile-process.js', import.meta.url), args, {
      execArgv: [`--max-old-space-size=${heapMegabytes}`],
    });
    const died = (why: string) =>
      resolve({ outcome: `died: ${why}`, cpuSeconds: 0, slowestSeconds: 0, peakMegabytes: 0 });
    child.once('message', (report) => resolve(report as HostileReport));
    child.once('error', (error) => died(String(error)));
    child.once('exit', (code, signal) => died(`${signal ?? code}`));
  });
}
