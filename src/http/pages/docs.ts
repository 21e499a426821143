import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import MarkdownIt, { type RendererRule, type StateCore } from 'markdown-it';
import { docsPath, escapeHtml, layout } from './html.ts';

export interface DocsPage {
  /** `/docs` for the README, `/docs/name` for `docs/name.md`. */
  readonly path: string;
  /** The text of the first heading. */
  readonly title: string;
  /** The whole HTML document. */
  readonly html: string;
  /** The Markdown source, and the path under which it is served as well. */
  readonly markdown: string;
  readonly markdownPath: string;
}

/** The README first, then the others by name. */
export type DocsPages = readonly DocsPage[];

/**
 * Renders README.md and docs/*.md of the folder `root`. Links between them lead to the addresses where they are
 * served; links to other files of the folder, which are not served, become plain text. Pictures (docs/*.svg) come
 * inside the pages. What is missing is left out.
 */
export async function loadDocsPages(root: URL | string): Promise<DocsPages> {
  const folder = typeof root === 'string' ? pathToFileURL(`${root}/`) : root;
  const files = ['README.md', ...(await docsFiles(new URL('docs/', folder)))];
  const sources: Source[] = [];
  for (const file of files) {
    const markdown = await orMissing(readFile(new URL(file, folder), 'utf8'));
    if (markdown !== undefined) sources.push({ file, path: servedPath(file), markdown });
  }

  const targets: Targets = {
    paths: new Map(sources.map(({ file, path }) => [file, path])),
    pictures: await loadPictures(folder),
  };
  const rendered = sources.map(({ file, path, markdown }) => {
    return { path, markdown, markdownPath: `/${file}`, ...render(markdown, file, targets) };
  });
  return rendered.map(({ body, ...page }) => ({
    ...page,
    html: layout(page.title, body, rendered, page.path),
  }));
}

interface Source {
  /** Relative to the root, with forward slashes. */
  readonly file: string;
  readonly path: string;
  readonly markdown: string;
}

/** What links and pictures may lead to, by file. */
interface Targets {
  readonly paths: ReadonlyMap<string, string>;
  /** As `data:` URLs. */
  readonly pictures: ReadonlyMap<string, string>;
}

async function docsFiles(folder: URL, ending = '.md'): Promise<string[]> {
  const names = (await orMissing(readdir(fileURLToPath(folder)))) ?? [];
  const files = names
    .filter((name) => name.endsWith(ending))
    .map((name) => `docs/${encodeURIComponent(name)}`);
  return files.sort();
}

async function loadPictures(folder: URL): Promise<Map<string, string>> {
  const pictures = new Map<string, string>();
  for (const file of await docsFiles(new URL('docs/', folder), '.svg')) {
    const data = await readFile(new URL(file, folder), 'base64');
    pictures.set(file, `data:image/svg+xml;base64,${data}`);
  }
  return pictures;
}

async function orMissing<Value>(reading: Promise<Value>): Promise<Value | undefined> {
  try {
    return await reading;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function servedPath(file: string): string {
  return file === 'README.md' ? docsPath : `/${file.replace(/\.md$/, '')}`;
}

function render(source: string, file: string, { paths, pictures }: Targets): { title: string; body: string } {
  const markdown = new MarkdownIt({ html: true });
  // The files are our own; links to files that are not served are left out below.
  markdown.validateLink = () => true;
  let title = '';
  const headingId = createHeadingIds();
  const setHeadingIds = ({ tokens }: StateCore): void => {
    for (const [index, token] of tokens.entries()) {
      if (token.type !== 'heading_open') continue;
      const { children } = tokens[index + 1] ?? {};
      const text = markdown.renderer.renderInlineAsText(children ?? [], markdown.options, {});
      title ||= text;
      token.attrSet('id', headingId(text));
    }
  };
  const serveLinks = ({ tokens }: StateCore): void => {
    for (const { children } of tokens) {
      if (!children) continue;
      let isServed = true;
      for (const token of children) {
        if (token.type === 'link_open') {
          const href = servedHref(String(token.attrGet('href') ?? ''), file, paths);
          isServed = href !== undefined;
          if (href !== undefined) token.attrSet('href', href);
        }
        // Links do not nest, so the next end is that of this link.
        if (!isServed && token.type.startsWith('link_')) token.hidden = true;
      }
    }
  };
  markdown.core.ruler.push('heading_ids', setHeadingIds);
  markdown.core.ruler.push('served_links', serveLinks);
  const { rules } = markdown.renderer;
  const linkTag: RendererRule = (tokens, index, options, _, renderer) =>
    tokens[index]?.hidden ? '' : renderer.renderToken(tokens, index, options);
  const image: RendererRule = (tokens, index) => {
    const token = tokens[index];
    const href = servedHref(String(token?.attrGet('src') ?? ''), file, pictures);
    const words = escapeHtml(token?.content ?? '');
    return href === undefined ? words : `<img src="${escapeHtml(href)}" alt="${words}">`;
  };
  Object.assign(rules, { link_open: linkTag, link_close: linkTag, image });
  const body = markdown.render(source);
  return { title: title || file, body };
}

/** Where a link or picture of `file` is on the service; undefined when that is a file that is not served. */
function servedHref(href: string, file: string, paths: ReadonlyMap<string, string>): string | undefined {
  if (/^([a-z][a-z0-9+.-]*:|\/|#)/i.test(href)) return href;
  const { pathname, hash } = new URL(href, `file:///${file}`);
  const path = paths.get(pathname.slice(1));
  return path === undefined ? undefined : path + hash;
}

/** Ids as GitHub makes them, so that `#section` links work in both places. */
export function createHeadingIds(): (text: string) => string {
  const uses = new Map<string, number>();
  return (text) => {
    const id = text
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
      .replaceAll(' ', '-');
    const used = uses.get(id) ?? 0;
    uses.set(id, used + 1);
    return used === 0 ? id : `${id}-${used}`;
  };
}
