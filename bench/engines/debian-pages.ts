import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createExtractor } from '../../src/extract/extract.ts';
import { loadLanguageDetector } from '../../src/text/language/language.ts';
import { cached, writeLines } from './cache.ts';
import type { CorpusPage } from './corpus-files.ts';
import { corpusPackages } from './corpus-packages.ts';
import { manPageAsHtml } from './man-page.ts';
import { unpackPackage } from './unpack-package.ts';

/** Shorter ones are forwards, frames and empty indexes. */
const shortestBody = 200;

/**
 * Makes `packages/NAME-PAGES.jsonl.gz` of each package that has none yet: downloads it with apt-get, unpacks it, installs
 * nothing, and reads its HTML files with our own extractor, at most so many pages.
 */
export async function extractPackages(packages = corpusPackages): Promise<string[]> {
  const detectLanguage = await loadLanguageDetector();
  const extract = createExtractor({ detectLanguage, now: () => Date.UTC(2026, 0, 1) });
  const files: string[] = [];
  for (const { name, pages } of packages) {
    const file = cached('packages', `${name}-${pages}.jsonl.gz`);
    files.push(file);
    if (existsSync(file)) continue;
    const root = unpackPackage(name);
    let taken = 0;
    await writeLines(file, taking());
    rmSync(root, { recursive: true, force: true });
    console.log(`${name}: ${taken} pages`);

    function* taking(): Generator<CorpusPage> {
      for (const path of inHashOrder(pageFiles(root, 'usr/share'))) {
        if (taken >= pages) return;
        const url = urlOf(name, path);
        const bytes = htmlOf(path, readFileSync(join(root, path)));
        const extraction = extract({ url, bytes, contentType: 'text/html' });
        if (extraction.kind !== 'page' || extraction.page.body.length < shortestBody) continue;
        const { title, headings, body, lang } = extraction.page;
        taken++;
        yield { url, title, headings, body, lang };
      }
    }
  }
  return files;
}

/** Manual pages of these languages are read too: Debian has few Chinese and Japanese pages of HTML. */
const manualPage = /\/man\/(ja|zh)[^/]*\/man\d\/[^/]+\.gz$/;

function htmlOf(path: string, bytes: Buffer): Buffer {
  const lang = manualPage.exec(path)?.[1];
  return lang === undefined ? bytes : Buffer.from(manPageAsHtml(gunzipSync(bytes).toString('utf8'), lang));
}

function* pageFiles(root: string, folder: string): Generator<string> {
  if (!existsSync(join(root, folder))) return;
  for (const name of readdirSync(join(root, folder))) {
    const path = `${folder}/${name}`;
    const stat = lstatSync(join(root, path));
    if (stat.isDirectory()) yield* pageFiles(root, path);
    else if (stat.isFile() && (/\.x?html?$/i.test(name) || manualPage.test(path))) yield path;
  }
}

/** The same mixture however many are taken. */
function inHashOrder(paths: Iterable<string>): string[] {
  const key = (path: string): string => createHash('sha1').update(path).digest('hex');
  return [...paths]
    .map((path) => [key(path), path] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, path]) => path);
}

/** A host for each folder, so that there are hosts by the thousand, as in a crawl. */
function urlOf(name: string, path: string): string {
  const segments = path.split('/').slice(2);
  const file = segments.pop() ?? '';
  const folder = (segments.at(-1) ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  const host = `${folder === '' ? 'www' : folder.slice(0, 60)}.${name.replaceAll('.', '-')}.example`;
  return new URL(`https://${host}/${[...segments, file].map(encodeURIComponent).join('/')}`).href;
}
