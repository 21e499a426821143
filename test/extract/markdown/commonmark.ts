import { createRequire } from 'node:module';

/** An example of the CommonMark specification: a document, and the HTML that it means. */
export interface CommonMarkExample {
  readonly number: number;
  readonly section: string;
  readonly markdown: string;
  readonly html: string;
}

/**
 * The examples of CommonMark 0.31.2, from the npm package `commonmark-spec` (John MacFarlane, CC BY-SA 4.0), which serves
 * tests alone and is not distributed with this project. The specification writes a tab as an arrow.
 */
export function commonMarkExamples(): CommonMarkExample[] {
  const { tests } = createRequire(import.meta.url)('commonmark-spec') as { tests: CommonMarkExample[] };
  return tests.map((example) => ({
    ...example,
    markdown: example.markdown.replaceAll('→', '\t'),
    html: example.html.replaceAll('→', '\t'),
  }));
}
