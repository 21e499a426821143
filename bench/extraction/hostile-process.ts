import { createExtractor } from '../../src/extract/extract.ts';
import { type FuzzedFile, mutatedDocuments, mutatedPages } from './fuzz.ts';
import { hostilePages } from './hostile-pages.ts';

/** What one hostile page, or all files of a fuzz, cost the process that read them. */
export interface HostileReport {
  readonly outcome: string;
  readonly cpuSeconds: number;
  readonly slowestSeconds: number;
  readonly peakMegabytes: number;
}

const extract = createExtractor({
  detectLanguage: (_, declared) => declared ?? 'und',
  now: () => Date.UTC(2026, 10, 20),
});

const fuzzes: Readonly<Record<string, (count: number) => Iterable<FuzzedFile>>> = {
  pages: mutatedPages,
  documents: mutatedDocuments,
};

function run(name: string): HostileReport {
  const fuzz = fuzzes[name];
  const page = {
    url: 'https://page.invalid/',
    bytes: Buffer.from(hostilePages[name]?.() ?? ''),
    contentType: 'text/html',
  };
  const files = fuzz === undefined ? [page] : fuzz(Number(process.argv[3]));
  let cpuSeconds = 0;
  let slowestSeconds = 0;
  const outcomes = new Map<string, number>();
  for (const file of files) {
    const start = process.cpuUsage();
    let outcome: string;
    try {
      const extraction = extract(file);
      outcome =
        extraction.kind === 'page' ? `${sizeOf(extraction.page.body)} of text` : `refused: ${extraction.why}`;
    } catch (error) {
      outcome = `threw: ${error}`;
    }
    const { user, system } = process.cpuUsage(start);
    const seconds = (user + system) / 1e6;
    cpuSeconds += seconds;
    slowestSeconds = Math.max(slowestSeconds, seconds);
    const kind = fuzz !== undefined ? outcome.replace(/^.* of text$/, 'read') : outcome;
    outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1);
  }
  const outcome =
    fuzz !== undefined
      ? [...outcomes].map(([kind, count]) => `${count} ${kind}`).join(', ')
      : [...outcomes.keys()].join('');
  return { outcome, cpuSeconds, slowestSeconds, peakMegabytes: process.resourceUsage().maxRSS / 1024 };
}

const sizeOf = ({ length }: string): string => `${length.toLocaleString('en')} characters`;

const name = process.argv[2];
if (name !== undefined && process.send !== undefined) process.send(run(name), () => process.disconnect());
