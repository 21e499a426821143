import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { parseDate } from '../../metadata/dates.ts';
import type { Properties } from '../properties.ts';
import type { Refusal } from '../refused.ts';
import { maxBodyCharacters } from '../structured-text.ts';
import { linesOf, type PdfItem } from './pdf-lines.ts';
import { type PdfLine, type PdfText, writePdfText } from './pdf-text.ts';

export type PdfOutcome =
  | { readonly kind: 'read'; readonly text: PdfText; readonly properties: Properties }
  | { readonly kind: 'refused'; readonly why: Refusal };

const maxPages = 500;
const maxItemsOfPage = 100_000;
const maxOutlineItems = 2000;
const folder = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));

type PdfJs = typeof import('pdfjs-dist');
type PdfDocument = Awaited<ReturnType<PdfJs['getDocument']>['promise']>;
type PdfPage = Awaited<ReturnType<PdfDocument['getPage']>>;
interface TextChunk {
  readonly items: readonly object[];
}
let loading: Promise<PdfJs> | undefined;

/**
 * Reads the first 500 pages of a PDF in the current process, which should be that of `pdf-child.ts`. Skips pages that
 * cannot be read.
 */
export async function readPdfHere(bytes: Uint8Array): Promise<PdfOutcome> {
  loading ??= loadPdfJs();
  const pdfjs = await loading;
  const task = pdfjs.getDocument({
    data: bytes,
    // Without the character maps, half of the Chinese, Japanese and Korean text is lost. pdf.js needs plain paths.
    cMapUrl: `${folder}/cmaps/`,
    cMapPacked: true,
    standardFontDataUrl: `${folder}/standard_fonts/`,
    wasmUrl: `${folder}/wasm/`,
    disableFontFace: true,
    useSystemFonts: false,
    isEvalSupported: false,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    useWorkerFetch: false,
    enableXfa: false,
    verbosity: pdfjs.VerbosityLevel.ERRORS,
  });
  try {
    const document = await task.promise;
    const pages = await readPages(document);
    if (pages === undefined) return { kind: 'refused', why: 'damaged file' };
    if (isNoise(pages)) return { kind: 'refused', why: 'unreadable fonts' };
    const text = writePdfText(pages, await outlineOf(document));
    return { kind: 'read', text, properties: await propertiesOf(document) };
  } catch (error) {
    const isLocked = error instanceof Error && error.name === 'PasswordException';
    return { kind: 'refused', why: isLocked ? 'encrypted' : 'damaged file' };
  } finally {
    await task.destroy().catch(() => {});
  }
}

/** While it loads, pdf.js creates a matrix and looks for a canvas; both are for drawing, and text needs neither. */
async function loadPdfJs(): Promise<PdfJs> {
  const scope = globalThis as Record<string, unknown>;
  for (const name of ['DOMMatrix', 'ImageData', 'Path2D']) scope[name] ??= class {};
  const { getBuiltinModule } = process;
  process.getBuiltinModule = ((name: string) =>
    name === 'module'
      ? { createRequire: () => refuseRequire }
      : getBuiltinModule(name)) as typeof getBuiltinModule;
  try {
    return (await import('pdfjs-dist/legacy/build/pdf.mjs')) as PdfJs;
  } finally {
    process.getBuiltinModule = getBuiltinModule;
  }
}

function refuseRequire(name: string): never {
  throw new Error(`${name} is not loaded: no native code reads files of others`);
}

async function readPages(document: PdfDocument) {
  const pages = [];
  let characters = 0;
  let failed = 0;
  const count = Math.min(document.numPages, maxPages);
  for (let number = 1; number <= count && characters < maxBodyCharacters; number++) {
    try {
      const page = await document.getPage(number);
      const drawn = linesOf(await itemsOf(page));
      const lines = [...drawn, ...(await filledIn(page, drawn[0]?.size ?? defaultSize))];
      for (const { text } of lines) characters += text.length;
      pages.push(lines);
      page.cleanup();
    } catch {
      failed++;
    }
  }
  return failed === count && count > 0 ? undefined : pages;
}

/**
 * The text of a page, up to a maximum of items, which are objects in memory. The rest is read and dropped, because pdf.js
 * never finishes a page that is not read to its end, and fails when reading is canceled.
 */
async function itemsOf(page: PdfPage): Promise<PdfItem[]> {
  const items: PdfItem[] = [];
  const reader = page.streamTextContent().getReader() as ReadableStreamDefaultReader<TextChunk>;
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    if (items.length >= maxItemsOfPage) continue;
    for (const item of chunk.value.items) if ('str' in item) items.push(item as PdfItem);
  }
  return items;
}

const maxAnnotations = 500;
const maxFieldLength = 10_000;

/** What was typed into the fields of a form, and notes that are written on the page, in their order. */
async function filledIn(page: PdfPage, size: number): Promise<PdfLine[]> {
  const annotations = (await page.getAnnotations({ intent: 'display' }).catch(() => [])) as Annotation[];
  return annotations.slice(0, maxAnnotations).flatMap((annotation) => {
    const { subtype, fieldType, fieldValue, hidden, contentsObj, rect = [] } = annotation;
    const value = subtype === 'FreeText' ? contentsObj?.str : fieldType === 'Btn' ? undefined : fieldValue;
    const [x = 0, y = 0] = rect;
    const text = [value ?? []]
      .flat()
      .filter((part) => typeof part === 'string')
      .join(', ')
      .trim();
    if (hidden || text === '') return [];
    return [{ text: text.slice(0, maxFieldLength), x, y, size }];
  });
}

const defaultSize = 10;

interface Annotation {
  readonly subtype?: string;
  readonly fieldType?: string;
  readonly fieldValue?: unknown;
  readonly hidden?: boolean;
  readonly contentsObj?: { readonly str?: string };
  readonly rect?: readonly number[];
}

/** A font without a map to Unicode gives the numbers of its glyphs: private characters, controls, none at all. */
const noCharacter = /[\p{Co}\p{Cn}\p{Cc}\ufffd]/gu;
const maxNoise = 0.3;
const noiseSample = 100_000;

function isNoise(pages: readonly (readonly PdfLine[])[]): boolean {
  const sample = pages
    .flatMap((page) => page.map(({ text }) => text))
    .join('')
    .replace(/\s+/g, '')
    .slice(0, noiseSample);
  return (sample.match(noCharacter)?.length ?? 0) > sample.length * maxNoise;
}

async function outlineOf(document: PdfDocument): Promise<string[]> {
  const titles: string[] = [];
  const open = [...((await document.getOutline().catch(() => null)) ?? [])];
  while (open.length > 0 && titles.length < maxOutlineItems) {
    const item = open.shift();
    if (item === undefined) break;
    titles.push(item.title);
    open.unshift(...item.items);
  }
  return titles;
}

async function propertiesOf(document: PdfDocument): Promise<Properties> {
  const { info, metadata } = await document.getMetadata().catch(() => ({ info: {}, metadata: null }));
  const fields = info as Record<string, unknown>;
  const plain = (value: unknown): string | undefined => {
    const text = Array.isArray(value) ? value.join(', ') : value;
    return typeof text === 'string' && text.trim() !== '' ? text : undefined;
  };
  return {
    title: plain(fields.Title) ?? plain(metadata?.get('dc:title')),
    author: plain(fields.Author) ?? plain(metadata?.get('dc:creator')),
    description: plain(fields.Subject) ?? plain(metadata?.get('dc:description')),
    lang: plain(fields.Language),
    created: pdfDate(plain(fields.CreationDate)) ?? parseDate(plain(metadata?.get('xmp:createdate')) ?? ''),
    modified: pdfDate(plain(fields.ModDate)) ?? parseDate(plain(metadata?.get('xmp:modifydate')) ?? ''),
  };
}

/** `D:20240305101500+01'00'` (ISO 32000-1, 7.9.4); what is left out at the end counts as the beginning. */
function pdfDate(text: string | undefined): number | undefined {
  const match =
    /^\s*(?:D:)?(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?\s*(?:([Z+-])(?:(\d{2})'?(\d{2})?)?)?/.exec(
      text ?? '',
    );
  if (!match) return text === undefined ? undefined : parseDate(text);
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00', sign, hours, minutes] =
    match;
  const offset = sign === '+' || sign === '-' ? `${sign}${hours ?? '00'}:${minutes ?? '00'}` : 'Z';
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`);
  return Number.isNaN(time) ? undefined : time;
}
