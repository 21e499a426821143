import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { readPdfHere } from '../../src/extract/documents/pdf/pdf-document.ts';
import { createFileExtractor } from '../../src/extract/file-extractor.ts';
import { casesOf, fold, type SetName } from './sets.ts';

export interface FileReport {
  readonly file: string;
  /** The outcome's name, where it was not read. */
  readonly why: string | null;
  readonly fileType: string | null;
  readonly words: readonly string[];
  readonly expected: number;
  readonly missing: readonly string[];
  readonly unwanted: readonly string[];
  readonly cpuMs: number;
}

export interface SetReport {
  readonly files: readonly FileReport[];
  readonly peakMB: number;
  readonly startMB: number;
}

/** Reads a set in a process of its own, so that its peak of memory is its own. */
export function readSet(set: SetName): SetReport {
  const output = execFileSync(process.execPath, [fileURLToPath(import.meta.url), set], {
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return JSON.parse(output.slice(output.indexOf('{"files"'))) as SetReport;
}

/** PDFs are read in the same process here, and not in one of their own, so that their time and memory count. */
async function report(set: SetName): Promise<SetReport> {
  const extract = createFileExtractor({
    detectLanguage: (_, declared) => declared ?? 'und',
    now: () => Date.UTC(2026, 10, 20),
    readPdf: (bytes) => readPdfHere(new Uint8Array(bytes)),
  });
  const cases = casesOf(set);
  const startMB = peakMB();
  const files: FileReport[] = [];
  for (const { file, bytes, contains, absent } of cases) {
    const from = process.cpuUsage();
    const read = await extract({ url: `https://files.example/${encodeURI(file)}`, bytes, contentType: null });
    const { user, system } = process.cpuUsage(from);
    const page = read.kind === 'page' ? read.page : undefined;
    const text = fold(`${page?.title ?? ''}\n${page?.body ?? ''}`);
    files.push({
      file,
      why: read.kind === 'page' ? null : read.why,
      fileType: page?.fileType ?? null,
      words: page === undefined ? [] : [...new Set(page.body.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])],
      expected: contains.length,
      missing: contains.filter((wanted) => !text.includes(fold(wanted))),
      unwanted: absent.filter((wanted) => page?.body.includes(wanted)),
      cpuMs: (user + system) / 1000,
    });
  }
  return { files, peakMB: peakMB(), startMB };
}

function peakMB(): number {
  return process.resourceUsage().maxRSS / 1024;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(JSON.stringify(await report(process.argv[2] as SetName)));
}
