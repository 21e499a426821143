import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fieldTexts } from '../../src/index/page-terms.ts';
import type { Page } from '../../src/page.ts';
import { indexTerms } from '../../src/text/terms.ts';
import { cached, writeLines } from './cache.ts';
import { type PageTerms, readPages } from './corpus-files.ts';

/** The terms of a page as our analysis cuts them, in the order of the index's fields. */
export function termsOf(page: Page): PageTerms {
  return fieldTexts(page).map((text) => indexTerms(text).join(' ')) as unknown as PageTerms;
}

/** Makes the file of terms that the peers read, unless there is one by the same analysis; gives its path. */
export async function prepareTerms(pages: number): Promise<string> {
  const path = cached('corpus', `terms-${analysisStamp()}-${pages}.jsonl.gz`);
  if (!existsSync(path)) await writeLines(path, termsOfPages(pages));
  return path;
}

async function* termsOfPages(pages: number): AsyncGenerator<PageTerms> {
  for await (const page of readPages(pages)) yield termsOf(page);
}

function analysisStamp(): string {
  const folder = new URL('../../src/text/', import.meta.url);
  const hash = createHash('sha1');
  for (const name of readdirSync(folder).sort()) {
    if (name.endsWith('.js')) hash.update(readFileSync(new URL(name, folder)));
  }
  return hash.digest('hex').slice(0, 12);
}
