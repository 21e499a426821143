import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { cached } from '../engines/cache.ts';
import type { Found } from './peers.ts';
import type { ReaderReport } from './reader-process.ts';
import { type Half, judgedPages } from './sets.ts';

export const pythonPeerNames = ['trafilatura', 'htmldate'] as const;
export type PythonPeerName = (typeof pythonPeerNames)[number];

const folder = 'extraction-python';
const python = () => cached(folder, 'bin', 'python');
const script = fileURLToPath(new URL('../../../bench/extraction/read_pages.py', import.meta.url));

/** Installs trafilatura and htmldate into a virtual environment in the cache, once; needs Python 3 with pip. */
export function installPythonPeers(): void {
  if (existsSync(cached(folder, 'installed'))) return;
  execFileSync('python3', ['-m', 'venv', cached(folder, '')], { stdio: 'inherit' });
  // trafilatura's own dependencies leave out what newer versions of lxml do not bring along.
  const packages = [...pythonPeerNames, 'lxml_html_clean'];
  execFileSync(python(), ['-m', 'pip', 'install', '-q', ...packages], { stdio: 'inherit' });
  execFileSync('touch', [cached(folder, 'installed')]);
}

/** Names and versions, for the table. */
export function pythonPeerVersions(): string {
  const source = `
from importlib.metadata import version
import platform
names = ${JSON.stringify(pythonPeerNames)}
print(", ".join(f"{name} {version(name)}" for name in names) + f", from Python {platform.python_version()}")`;
  return execFileSync(python(), ['-c', source], { encoding: 'utf8' }).trim();
}

interface Answer {
  readonly key: string;
  readonly text?: string | null;
  readonly title?: string | null;
  readonly author?: string | null;
  readonly date?: string | null;
  readonly cpuMs: number;
  readonly failed: boolean;
  readonly peakMegabytes: number;
}

/** Reads the judged pages of the halves with a library of Python, in a process of its own. */
export async function readWithPython(name: PythonPeerName, halves: readonly Half[]): Promise<ReaderReport> {
  const child = spawn(python(), [script, name], { stdio: ['pipe', 'pipe', 'inherit'] });
  const requests = [...judgedPages(halves)].map(([key, { file, url }]) => JSON.stringify({ key, file, url }));
  child.stdin.end(`${requests.join('\n')}\n`);
  const found = new Map<string, Found>();
  const cpuMs = new Map<string, number>();
  let failures = 0;
  let peakMegabytes = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const answer = JSON.parse(line) as Answer;
    found.set(answer.key, {
      text: answer.text ?? '',
      title: answer.title ?? '',
      author: answer.author || null,
      date: answer.date || null,
    });
    cpuMs.set(answer.key, answer.cpuMs);
    if (answer.failed) failures++;
    peakMegabytes = answer.peakMegabytes;
  }
  if (found.size < requests.length) throw new Error(`${name} ended before it had read all pages`);
  return { found, cpuMs, failures, peakMegabytes };
}
