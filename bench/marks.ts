import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { crc32, deflateRawSync } from 'node:zlib';
import type { createExtractor } from '../src/extract/extract.ts';
import { loadLanguageDetector } from '../src/text/language/language.ts';
import { loadPageSet, pageBytes } from './extraction/sets.ts';
import { median } from './median.ts';
import { writeBlock } from './write-block.ts';

type Extract = ReturnType<typeof createExtractor>;

const built = fileURLToPath(new URL('../src/', import.meta.url));
const cache = fileURLToPath(new URL('../../bench/.cache/', import.meta.url));

/** The file that says which elements are marked, with nothing marked. */
const noElementMarks = `export const inlineMark = () => undefined;
export const firstNumber = () => undefined;
export const ownNumber = () => undefined;
export const languageOf = () => '';
`;

/**
 * What does it cost in processor time to record, while a page is read, what Markdown needs? The extractor with marks and
 * without: two copies of the build, page by page in turn, `--rounds 5` over all pages. `--write` puts the figure into
 * docs/extraction.md.
 */
export async function main(args: string[]): Promise<void> {
  const rounds = Number(args[args.indexOf('--rounds') + 1]) || 5;
  const withMarks = await extractorOf('with-marks');
  const without = await extractorOf('without-marks', removeMarks);
  const pages = loadPageSet('wcxb-sample').map((page) => ({
    url: page.url,
    bytes: pageBytes(page),
    contentType: 'text/html',
  }));
  const times: Times[] = [];
  // The first round is for the compiler.
  for (let round = 0; round <= rounds; round++) {
    const sum = { marked: 0, bare: 0, packed: 0 };
    for (const [index, page] of pages.entries()) {
      const extract = { marked: () => withMarks(page), bare: () => without(page) };
      // Neither is always the first.
      const order = (['marked', 'bare'] as const).toSorted(() => ((index + round) % 2 === 0 ? 1 : -1));
      for (const which of order) sum[which] += cpuMs(extract[which]);
      const [marked, bare] = [withMarks(page), without(page)];
      if (marked.kind !== 'page' || bare.kind !== 'page') continue;
      if (marked.page.body !== bare.page.body) throw new Error(`without marks ${page.url} is another text`);
      sum.packed += cpuMs(() => packForStore(marked.page.body, marked.page.structure ?? ''));
    }
    times.push(sum);
  }
  const measured = times.slice(1);
  const ratios = measured.map(({ marked, bare, packed }) => (marked + packed) / bare).sort((a, b) => a - b);
  const aPage = (key: keyof Times): string =>
    (median(measured.map((time) => time[key])) / pages.length).toFixed(2);
  const text = `Recording the structure of ${pages.length} pages, medians of ${rounds} rounds: ${aPage('marked')} ms of processor time a page to read it with marks, ${aPage('bare')} ms without, ${aPage('packed')} ms to pack them for the store; together ${median(ratios).toFixed(2)} times as much (${ratios[0]?.toFixed(2)} to ${ratios.at(-1)?.toFixed(2)}).`;
  console.log(text);
  if (args.includes('--write')) writeBlock('docs/extraction.md', 'marks', text);
}

interface Times {
  readonly marked: number;
  readonly bare: number;
  readonly packed: number;
}

/** What `store/page/structures.ts` does for each page that it puts. */
function packForStore(body: string, structure: string): void {
  crc32(body.toWellFormed());
  deflateRawSync(structure.toWellFormed());
}

/** The extractor of a copy of the build. Both are copies, so that both are loaded and compiled alike. */
async function extractorOf(name: string, change = (_: string): void => {}): Promise<Extract> {
  const copy = `${cache}${name}/`;
  rmSync(copy, { recursive: true, force: true });
  cpSync(built, copy, { recursive: true });
  change(copy);
  const { createExtractor: create } = await import(`${copy}extract/extract.js`);
  return create({ detectLanguage: await loadLanguageDetector(), now: Date.now });
}

function removeMarks(copy: string): void {
  rewrite(`${copy}extract/main-text/element-mark.js`, /^.*export function inlineMark.*$/s, noElementMarks);
  // Headings, items, quotations, code and tables are marked by the renderer itself.
  rewrite(`${copy}extract/main-text/text-writer.js`, 'const maxMarks = 50_000;', 'const maxMarks = 0;');
}

function rewrite(file: string, before: string | RegExp, after: string): void {
  const text = readFileSync(file, 'utf8');
  const changed = text.replace(before, () => after);
  if (changed === text) throw new Error(`${file} is not what it was when this was written`);
  writeFileSync(file, changed);
}

function cpuMs(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
