import type { Clock } from '../runtime.ts';
import { promisesDocument, readDocument } from './documents/index.ts';
import { decode } from './encoding/decode.ts';
import { drawnByScripts, type ExtractedPage, type Reading } from './extracted.ts';
import { readHtml } from './html.ts';
import { readKind } from './kinds/registry.ts';
import type { Trail } from './main-text/explain.ts';
import { readMarkdown } from './markdown/markdown.ts';
import { type ReadableType, readableType } from './media-type.ts';
import { readPlainText } from './plain-text.ts';
import { countWords } from './word-count.ts';

export interface FetchedFile {
  /** After redirects. */
  readonly url: string;
  readonly bytes: Uint8Array;
  /** The HTTP header's value. */
  readonly contentType: string | null;
  /** A browser has run the scripts of the page: what it says now is all that it says. */
  readonly isRendered?: boolean;
}

export type Extraction =
  | { readonly kind: 'page'; readonly page: ExtractedPage }
  /** Scripts draw the page: it has metadata and perhaps links, and no text. */
  | { readonly kind: 'drawn'; readonly why: string; readonly page: ExtractedPage }
  | { readonly kind: 'unreadable'; readonly why: string };

export interface ExtractorOptions {
  readonly detectLanguage: (text: string, declared?: string) => string;
  readonly now: Clock;
}

/** Characters that are enough to detect any language. */
const languageSample = 2000;

/**
 * Extracts text and metadata from a fetched page. Never throws because of its content, and takes time linear in its
 * length. Reads HTML, XHTML, plain text, Markdown, office files, EPUB and the kinds of `kinds/registry.ts`; other types, undecodable bytes and pages without
 * text are `unreadable`. PDFs need a process of their own: `createFileExtractor` reads them too.
 */
export function createExtractor({
  detectLanguage,
  now,
}: ExtractorOptions): (fetched: FetchedFile, trail?: Trail) => Extraction {
  const extract = (
    { url, bytes, contentType, isRendered = false }: FetchedFile,
    trail: Trail | undefined,
  ): Extraction => {
    const document = readDocument(bytes, { url, now: now() });
    if (document?.kind === 'refused') {
      // A damaged archive or container without a document's name or media type need not be a document.
      const isForeign =
        document.why === 'damaged file' && !document.isDocument && !promisesDocument(contentType, url);
      return { kind: 'unreadable', why: isForeign ? 'unsupported type' : document.why };
    }
    if (document !== undefined) return completeReading(document.reading, detectLanguage);
    const ofKind = readKind({ url, now: now(), bytes, contentType, text: () => textOf(bytes, contentType) });
    if (ofKind !== undefined) return completeReading(ofKind, detectLanguage);
    const isPromised = promisesDocument(contentType, url);
    // Servers send an HTML page in place of a document: it can still be read.
    const type = readableType(bytes, isPromised ? null : contentType, url);
    if (isPromised && type !== 'html' && type !== 'xhtml') return { kind: 'unreadable', why: 'damaged file' };
    if (type === undefined) return { kind: 'unreadable', why: 'unsupported type' };
    const decoded = decode(bytes, contentType);
    if (decoded.kind === 'undecodable') return { kind: 'unreadable', why: 'undecodable' };
    trail?.choose('characters', decoded.encoding);
    return completeReading(read(type, decoded.text, { url, now: now(), isRendered }, trail), detectLanguage);
  };
  return (fetched, trail) => {
    try {
      return extract(fetched, trail);
    } catch {
      return couldNotBeRead;
    }
  };
}

function textOf(bytes: Uint8Array, contentType: string | null): string | undefined {
  const decoded = decode(bytes, contentType);
  return decoded.kind === 'text' ? decoded.text : undefined;
}

/** The outcome when a reader or a library throws. */
export const couldNotBeRead: Extraction = { kind: 'unreadable', why: 'could not be read' };

/**
 * Adds language and word count, which all formats share. A reading without text is `unreadable`, or `drawn`: then no
 * language is guessed.
 */
export function completeReading(
  { declaredLang, isDrawn, ...page }: Reading,
  detectLanguage: ExtractorOptions['detectLanguage'],
): Extraction {
  if (isDrawn) return { kind: 'drawn', why: drawnByScripts, page: { ...page, lang: 'und', wordCount: 0 } };
  if (page.body === '' && page.title === '') return { kind: 'unreadable', why: 'no text' };
  const sample = `${page.title}\n${page.body.slice(0, languageSample)}`;
  const lang = declaredLang === null ? detectLanguage(sample) : detectLanguage(sample, declaredLang);
  return { kind: 'page', page: { ...page, lang, wordCount: countWords(page.body) } };
}

function read(
  type: ReadableType,
  text: string,
  { url, now, isRendered }: { url: string; now: number; isRendered: boolean },
  trail: Trail | undefined,
): Reading {
  switch (type) {
    case 'html':
    case 'xhtml':
      return readHtml(text, { url, now, xml: type === 'xhtml', isRendered }, trail);
    case 'markdown':
      return readMarkdown(text, { url, now });
    case 'text':
      return readPlainText(text, url);
  }
}
