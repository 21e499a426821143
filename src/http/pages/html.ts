import { html, raw } from 'hono/html';
import { frame } from './people/frame.ts';
import { createUi } from './ui/ui.ts';

/** Escapes text for use between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

export interface LinkedPage {
  readonly path: string;
  readonly title: string;
}

/** Where the README is, before the other pages of the documentation. */
export const docsPath = '/docs';
export const apiPath = '/docs/api';

/** A page of the documentation, whose `body` is our own HTML, in the frame of all pages; `q` is what was searched for. */
export function layout(
  title: string,
  body: string,
  pages: readonly LinkedPage[],
  current: string,
  q = '',
): string {
  const listed = [...pages, ...(pages.length > 0 ? [{ path: apiPath, title: 'API reference' }] : [])];
  const links = listed.map(({ path, title: text }) =>
    path === current
      ? html`<li><a href="${path}" aria-current="page">${text}</a></li>`
      : html`<li><a href="${path}">${text}</a></li>`,
  );
  const contents =
    links.length === 0
      ? ''
      : html`<nav aria-label="Documentation"><details><summary>All pages</summary><ul>${links}</ul></details></nav>`;
  const ui = createUi('en', `http://localhost${current}`);
  return frame(
    { ui, title, current: 'docs', isInOneLanguage: true },
    html`<search class="search-form"><form action="${docsPath}" method="get"><div class="box"><input type="search" name="q" value="${q}" dir="auto"
  aria-label="Search the documentation"><button>Search</button></div></form></search>
${contents}
${raw(scrollable(body))}`,
  );
}

/** What is wider than a phone scrolls by itself, and can be reached by keyboard to do so. */
function scrollable(body: string): string {
  return body
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replaceAll('<table>', '<div class="scroll" role="group" aria-label="Table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');
}
