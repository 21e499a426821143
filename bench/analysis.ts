import { stemTerm } from '../src/text/stems.ts';
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

/** The terms of a text and the stems of its distinct ones: what an index takes of a page. */
function termsAndStems(text: string, lang: string): Set<string> {
  const terms = new Set(indexTerms(text));
  for (const term of [...terms]) {
    const stem = stemTerm(term, lang);
    if (stem !== null) terms.add(stem);
  }
  return terms;
}

/** How fast are texts cut into terms? Arguments: names of judged sets; all of them without any. */
export async function main(args: string[]): Promise<void> {
  console.log('| MB of text per CPU second | terms | terms and stems | terms with places |');
  console.log('|---|---:|---:|---:|');
  for (const name of args.length > 0 ? args : setNames) {
    const { docs, lang } = loadJudgedSet(name);
    const texts = docs.map(({ title, text }) => `${title}\n${text}`);
    const figures = [indexTerms, (text: string) => termsAndStems(text, lang), locateTerms].map((analyse) =>
      throughput(texts, analyse).toFixed(0),
    );
    console.log(`| ${name} | ${figures.join(' | ')} |`);
  }
}
