import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Config } from '../config/config.ts';
import type { ContentRecord } from '../contract/content.ts';
import { ServiceError } from '../contract/errors.ts';
import { contentRecord } from '../engine/content-record.ts';
import { createPdfReader } from '../extract/documents/index.ts';
import type { FetchedFile } from '../extract/extract.ts';
import { createFileExtractor } from '../extract/file-extractor.ts';
import { createTrail, type Trail } from '../extract/main-text/explain.ts';
import { pageId } from '../store/page/page-id.ts';
import { loadLanguageDetector } from '../text/language/language.ts';
import { fetchOnce } from './fetch-once.ts';
import { printableJson, printableLine, printableText } from './output/printable.ts';

export interface ExtractFlags {
  readonly json?: true;
  readonly explain?: true;
}

/** `gleaner extract`: prints what is extracted from one page or file: as text, as the API's record, or with the reasons. */
export async function extractCommand(target: string, flags: ExtractFlags, config: Config): Promise<void> {
  const fetched = await read(target, config);
  const { read: readPdf, close } = createPdfReader();
  const trail = flags.explain && createTrail();
  const extract = createFileExtractor({
    detectLanguage: await loadLanguageDetector(),
    now: Date.now,
    readPdf,
  });
  try {
    const extraction = await extract(fetched, trail);
    if (trail) process.stdout.write(printableText(explained(trail)));
    if (extraction.kind === 'unreadable')
      throw new ServiceError('unreadable', `${target} cannot be read: ${extraction.why}`);
    if (fetched.bytes.length === 0)
      throw new ServiceError('unreadable', `${target} is empty: there is no text`);
    const record = contentRecord(
      { ...extraction.page, id: pageId(fetched.url), url: fetched.url, crawledAt: Date.now() },
      false,
    );
    if (flags.json) process.stdout.write(`${printableJson(record, 2)}\n`);
    else
      process.stdout.write(
        trail ? fields(record) : `${fields(record)}\n${printableText(record.body_text)}\n`,
      );
  } finally {
    await close();
  }
}

/** Requests a web address; anything else is a file. */
async function read(target: string, config: Config): Promise<FetchedFile> {
  if (/^https?:\/\//i.test(target)) return fetchOnce(target, config);
  const path = resolve(target);
  try {
    return { url: pathToFileURL(path).href, bytes: await readFile(path), contentType: null };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EISDIR')
      throw new ServiceError(
        'invalid_parameters',
        `${target} is a folder: give a file of it; "gleaner import" reads whole folders into the index`,
      );
    const reason = code === 'ENOENT' ? 'there is no such file' : `it is not readable (${code})`;
    throw new ServiceError(
      'not_found',
      `${target}: ${reason}. Give a file, or a URL with http:// or https://.`,
    );
  }
}

/** All fields of the record except its text, one a line. */
function fields(record: ContentRecord): string {
  const { body_text: _, ...rest } = record;
  const width = Math.max(...Object.keys(rest).map((name) => name.length));
  return Object.entries(rest)
    .map(([name, value]) => `${name.padEnd(width)}  ${printableLine(String(value ?? '-'))}\n`)
    .join('');
}

const maxCuts = 20;

/** The trail as text: each step with its reason and the largest parts that it dropped, then the source of each field. */
function explained({ steps, choices }: Trail): string {
  const lines: string[] = [];
  for (const { step, why, cuts } of steps) {
    lines.push(`${step}: ${why}`);
    const largest = cuts.toSorted((a, b) => b.characters - a.characters);
    for (const { element, characters, beginning } of largest.slice(0, maxCuts))
      lines.push(`  - ${characters} characters in ${printableLine(element)}: ${printableLine(beginning)}`);
    if (largest.length > maxCuts) lines.push(`  - and ${largest.length - maxCuts} smaller`);
  }
  if (steps.length > 0) lines.push('');
  for (const { field, from } of choices) lines.push(`${field} from ${from}`);
  return lines.length === 0 ? '' : `${lines.join('\n')}\n\n`;
}
