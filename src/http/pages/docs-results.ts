import { html } from 'hono/html';
import type { DocsPages } from './docs.ts';
import type { DocsHit } from './docs-search.ts';
import { docsPath, layout } from './html.ts';

/** The sections of the documentation that a search found. */
export function docsResults(q: string, hits: readonly DocsHit[], docs: DocsPages): string {
  const found = hits.map(
    ({ address, page, heading, line }) =>
      html`<li><h2><a href="${address}">${heading}</a></h2><p class="where">${page}</p><p>${line}</p></li>`,
  );
  const count = hits.length === 0 ? 'No section has all of these words.' : `${hits.length} sections`;
  const body = html`<h1>Search in the documentation</h1>
<p class="count">${count}</p>
<ol class="results">${found}</ol>`;
  return layout('Search in the documentation', String(body), docs, docsPath, q);
}
