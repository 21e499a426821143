import { indexTerms, locateTerms } from '../src/text/terms.ts';
import { loadJudgedSet, setNames } from './judged-sets.ts';

const bytesPerRun = 20_000_000;

/** Megabytes of UTF-8 per second of CPU (user and system, garbage collection included), after a warm-up. */
function throughput(texts: readonly string[], analyse: (text: string) => unknown): number {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const rounds = Math.ceil(bytesPerRun / bytes);
  for (const text of texts) analyse(text);
  const before = process.cpuUsage();
  for (let round = 0; round < rounds; round++) for (const text of texts) analyse(text);
  const { user, system } = process.cpuUsage(before);
  return (bytes * rounds) / (user + system);
}

/** How fast are texts cut into terms? Arguments: names of judged sets; all of them without any. */
export async function main(args: string[]): Promise<void> {
  for (const name of args.length > 0 ? args : setNames) {
    const texts = loadJudgedSet(name).docs.map(({ title, text }) => `${title}\n${text}`);
    const index = throughput(texts, indexTerms).toFixed(0);
    const locate = throughput(texts, locateTerms).toFixed(0);
    process.stdout.write(`${name}: indexTerms ${index} MB per CPU second, locateTerms ${locate}\n`);
  }
}
