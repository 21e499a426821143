import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { render } from '../../src/extract/main-text/render.ts';
import { parseHtml } from '../../src/extract/main-text/tree.ts';
import { cached } from '../engines/cache.ts';

/** linkedom 0.18.15 asks for a package that the registry does not have. */
const packages = ['@mozilla/readability@0.6', 'linkedom@0.18.14', 'defuddle@0.19'];
const nameOf = (spec: string): string => spec.replace(/(?<=.)@[^@]*$/, '');
const folder = 'extraction-peers';

/** What a library says of a page. Dates are as it gives them. */
export interface Found {
  readonly text: string;
  readonly title: string;
  readonly author: string | null;
  readonly date: string | null;
}

/** Reads one page; a page that it fails on is an empty `Found`. */
export type Reader = (page: { html: string; url: string }) => Promise<Found> | Found;

export const nothingFound: Found = { text: '', title: '', author: null, date: null };

/** Installs the libraries that are compared with ours into the cache, once. */
export function installExtractionPeers(): void {
  const manifest = cached(folder, 'package.json');
  if (!existsSync(manifest)) writeFileSync(manifest, '{ "private": true }\n');
  const missing = packages.filter(
    (spec) => !existsSync(cached(folder, 'node_modules', nameOf(spec), 'package.json')),
  );
  if (missing.length === 0) return;
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], {
    cwd: cached(folder, ''),
    stdio: 'inherit',
  });
}

/** Names and versions, for the table. */
export function peerVersions(): string {
  return packages
    .map((spec) => {
      const manifest = readFileSync(cached(folder, 'node_modules', nameOf(spec), 'package.json'), 'utf8');
      return `${nameOf(spec)} ${(JSON.parse(manifest) as { version: string }).version}`;
    })
    .join(', ');
}

interface Linkedom {
  parseHTML(html: string): { document: Document };
}
interface Document {
  readonly body: unknown;
}

function requirePeer<Exports>(name: string): Exports {
  return createRequire(cached(folder, 'package.json'))(name) as Exports;
}

/** linkedom makes no `<html>` and `<body>` that a page leaves out, so they are put around it. */
function parse(html: string): Document {
  const { parseHTML } = requirePeer<Linkedom>('linkedom');
  return parseHTML(/<body[\s>]/i.test(html) ? html : `<html><head></head><body>${html}</body></html>`)
    .document;
}

/** Content that a library gives as HTML, as text by our own renderer, so that only the choice of content differs. */
const asText = (html: string): string => render(parseHtml(html).root).text;

/** Readability on linkedom. */
export function readabilityReader(): Reader {
  const { Readability } = requirePeer<{
    Readability: new (
      document: Document,
    ) => {
      parse(): { content: string; title: string; byline: string; publishedTime: string } | null;
    };
  }>('@mozilla/readability');
  return ({ html }) => {
    const article = new Readability(parse(html)).parse();
    if (article === null) return nothingFound;
    return {
      text: asText(article.content),
      title: article.title,
      author: article.byline || null,
      date: article.publishedTime || null,
    };
  };
}

/** Defuddle on linkedom, without the requests to other services that it makes by default. */
export async function defuddleReader(): Promise<Reader> {
  const path = cached(folder, 'node_modules', 'defuddle', 'dist', 'node.js');
  const { Defuddle } = (await import(path)) as {
    Defuddle(
      document: Document,
      url: string,
      options: { useAsync: boolean },
    ): Promise<{ content: string; title: string; author: string; published: string }>;
  };
  return async ({ html, url }) => {
    const { content, title, author, published } = await Defuddle(parse(html), url, { useAsync: false });
    return { text: asText(content), title, author: author || null, date: published || null };
  };
}
