import { decode } from '../../src/extract/encoding/decode.ts';
import { createExtractor } from '../../src/extract/extract.ts';
import { defuddleReader, type Found, nothingFound, readabilityReader } from './peers.ts';
import { type Half, type JudgedPage, judgedPages, pageBytes } from './sets.ts';

/** What a process that read all sets tells its parent. */
export interface ReaderReport {
  /** By `pageKey`. */
  readonly found: ReadonlyMap<string, Found>;
  /** Processor time of reading, in milliseconds, by `pageKey`. */
  readonly cpuMs: ReadonlyMap<string, number>;
  readonly failures: number;
  readonly peakMegabytes: number;
}

/** Judged pages are read as of this day, so that no date in them is the future. */
const now = () => Date.UTC(2026, 10, 20);

type BytesReader = (page: JudgedPage, bytes: Uint8Array) => Promise<Found> | Found;

/** Reads every judged page of the halves with one library, each once, and reports by IPC. */
async function run(name: string, halves: readonly Half[]): Promise<void> {
  const read = await readerNamed(name);
  const found = new Map<string, Found>();
  const cpuMs = new Map<string, number>();
  let failures = 0;
  for (const [key, page] of judgedPages(halves)) {
    const bytes = pageBytes(page);
    const start = process.cpuUsage();
    let result: Found;
    try {
      result = await read(page, bytes);
    } catch {
      failures++;
      result = nothingFound;
    }
    const { user, system } = process.cpuUsage(start);
    cpuMs.set(key, (user + system) / 1000);
    found.set(key, result);
  }
  const report: ReaderReport = {
    found,
    cpuMs,
    failures,
    peakMegabytes: process.resourceUsage().maxRSS / 1024,
  };
  process.send?.(report, () => process.disconnect());
}

async function readerNamed(name: string): Promise<BytesReader> {
  if (name === 'gleaner') return gleanerReader();
  const read = name === 'defuddle' ? await defuddleReader() : readabilityReader();
  return ({ url }, bytes) => {
    const decoded = decode(bytes, 'text/html');
    return decoded.kind === 'text' ? read({ html: decoded.text, url }) : nothingFound;
  };
}

/** Ours, with metadata and the count of words; the language detector has a table of its own. */
function gleanerReader(): BytesReader {
  const extract = createExtractor({ detectLanguage: (_, declared) => declared ?? 'und', now });
  return ({ url }, bytes) => {
    const extraction = extract({ url, bytes, contentType: 'text/html' });
    if (extraction.kind !== 'page') return nothingFound;
    const { body, title, author, publishedAt } = extraction.page;
    if (publishedAt === null) return { text: body, title, author, date: null };
    return { text: body, title, author, date: new Date(publishedAt).toISOString() };
  };
}

const [name, ...halves] = process.argv.slice(2);
if (name !== undefined && process.send !== undefined) await run(name, halves as Half[]);
