import type { Extraction, FetchedFile } from '../../extract/extract.ts';
import type { ExtractedPage } from '../../extract/extracted.ts';
import type { FetchOutcome } from '../fetch/fetch-outcome.ts';
import { createHostMisses } from '../host/host-misses.ts';
import type { AskByRobots } from './ask-by-robots.ts';
import { llmsFullEntries, twinKey } from './llms-full.ts';

/** The text of a page that scripts draw, found beside it, and where, for `extract --explain`. */
export interface TextTwin {
  readonly source: string;
  /** The file that was read. */
  readonly url: string;
  readonly page: ExtractedPage;
}

export interface TextTwinParts {
  readonly ask: AskByRobots;
  readonly extract: (fetched: FetchedFile) => Extraction | Promise<Extraction>;
  /** The links of the site's llms.txt. */
  readonly llmsLinks: (url: string, signal?: AbortSignal) => Promise<readonly string[]>;
}

/**
 * Looks for a drawn page's text in what its site ships beside the script: the Markdown that the page names, the entry of
 * llms.txt, the same address with `.md`, its `index.md`, the entry of llms-full.txt. Undefined when there is none.
 * A host is hardly asked any more after a few pages in a row without one. Rejects only with the signal's reason.
 */
export type FindTextTwin = (
  url: string,
  drawn: ExtractedPage,
  signal?: AbortSignal,
) => Promise<TextTwin | undefined>;

const maxTwinBytes = 5 * 1024 * 1024;
const maxFullBytes = 16 * 1024 * 1024;
/** Hosts whose llms-full.txt is kept in memory. */
const maxFullFiles = 4;
/** Less is a heading without a text. */
const minTwinText = 40;
const accept = 'text/markdown, text/plain;q=0.9, */*;q=0.1';
const textTypes = /^\s*(?:text\/(?:plain|markdown|x-markdown)|application\/octet-stream)\s*(?:;|$)/i;

export function createTextTwins({ ask, extract, llmsLinks }: TextTwinParts): FindTextTwin {
  const misses = createHostMisses();
  const fullFiles = new Map<string, Promise<Map<string, string>>>();

  const readMarkdown = async (
    url: string,
    bytes: Uint8Array,
    drawn: ExtractedPage,
  ): Promise<ExtractedPage | undefined> => {
    const extraction = await extract({ url, bytes, contentType: 'text/markdown; charset=utf-8' });
    if (extraction.kind !== 'page' || extraction.page.body.length < minTwinText) return undefined;
    const { page } = extraction;
    const { author, publishedAt, publishedDay, siteName, description, canonical, robots } = drawn;
    return {
      ...page,
      fileType: 'html',
      author: page.author ?? author,
      publishedAt: page.publishedAt ?? publishedAt,
      ...(page.publishedAt === null && publishedDay !== undefined && { publishedDay }),
      description: page.description === '' ? description : page.description,
      siteName,
      canonical,
      robots,
    };
  };

  const ofUrl = async (
    twinUrl: string,
    drawn: ExtractedPage,
    signal: AbortSignal | undefined,
  ): Promise<ExtractedPage | undefined> => {
    const outcome = await ask(twinUrl, { accept, maxBytes: maxTwinBytes, signal });
    return outcome?.kind === 'ok' && isText(outcome)
      ? readMarkdown(twinUrl, outcome.bytes, drawn)
      : undefined;
  };

  const loadFull = async (origin: string, signal: AbortSignal | undefined): Promise<Map<string, string>> => {
    const url = `${origin}/llms-full.txt`;
    const outcome = await ask(url, { accept, maxBytes: maxFullBytes, truncate: true, signal });
    if (outcome?.kind !== 'ok' || !isText(outcome)) return new Map();
    return llmsFullEntries(new TextDecoder().decode(outcome.bytes), url);
  };

  const fullOf = (origin: string, signal: AbortSignal | undefined): Promise<Map<string, string>> => {
    const known = fullFiles.get(origin);
    if (known !== undefined) return known;
    const [oldest] = fullFiles.keys();
    if (fullFiles.size >= maxFullFiles && oldest !== undefined) fullFiles.delete(oldest);
    const file = loadFull(origin, signal).catch((error: unknown) => {
      fullFiles.delete(origin);
      throw error;
    });
    fullFiles.set(origin, file);
    return file;
  };

  const find = async (
    url: string,
    drawn: ExtractedPage,
    signal: AbortSignal | undefined,
  ): Promise<TextTwin | undefined> => {
    const listed = (await llmsLinks(url, signal)).filter((link) => link !== url && isMarkdownOf(link, url));
    const named =
      drawn.markdownUrl !== undefined && isOfSite(drawn.markdownUrl, url) ? [drawn.markdownUrl] : [];
    const tried = new Set<string>();
    for (const twinUrl of [...named, ...listed, ...spellings(url)]) {
      if (tried.has(twinUrl)) continue;
      tried.add(twinUrl);
      const page = await ofUrl(twinUrl, drawn, signal);
      if (page !== undefined)
        return {
          source: `${twinUrl}${listed.includes(twinUrl) ? ', which llms.txt names' : ''}`,
          url: twinUrl,
          page,
        };
    }
    const { origin } = new URL(url);
    const entry = (await fullOf(origin, signal)).get(twinKey(url));
    const page = entry === undefined ? undefined : await readMarkdown(url, Buffer.from(entry), drawn);
    const full = `${origin}/llms-full.txt`;
    return page && { source: `the entry of ${full}`, url: full, page };
  };

  return async (url, drawn, signal) => {
    const { host } = new URL(url);
    if (misses.skips(host)) return undefined;
    const twin = await find(url, drawn, signal);
    misses.note(host, twin !== undefined);
    return twin;
  };
}

/** The address with `.md`, and its `index.md`; of a folder, its `index.md` and its name with `.md`. */
function spellings(url: string): string[] {
  const { origin, pathname } = new URL(url);
  const path = pathname.replace(/\.html?$/i, '').replace(/\/index$/i, '/');
  const stem = path.replace(/\/+$/, '');
  const file = stem === '' ? [] : [`${origin}${stem}.md`];
  const index = `${origin}${stem}/index.md`;
  return path.endsWith('/') ? [index, ...file] : [...file, index];
}

function isMarkdownOf(link: string, url: string): boolean {
  return /\.(?:mdx?|txt)$/i.test(new URL(link).pathname) && twinKey(link) === twinKey(url);
}

function isOfSite(link: string, url: string): boolean {
  return new URL(link).origin === new URL(url).origin;
}

/** A server that answers every address with its application sends HTML here, too. */
function isText({ contentType, bytes }: Extract<FetchOutcome, { kind: 'ok' }>): boolean {
  if (contentType !== null && !textTypes.test(contentType)) return false;
  return (
    bytes.length > 0 &&
    !bytes.includes(0) &&
    !/^\s*</.test(Buffer.from(bytes.subarray(0, 64)).toString('latin1'))
  );
}
