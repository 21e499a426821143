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

/** A whole HTML document: links to all pages, then `body`. No scripts, no external resources. */
export function layout(title: string, body: string, pages: readonly LinkedPage[], current: string): string {
  const links = [...pages, ...(pages.length > 0 ? [{ path: '/docs', title: 'API reference' }] : [])].map(
    (page) => {
      const mark = page.path === current ? ' aria-current="page"' : '';
      return `<a href="${page.path}"${mark}>${escapeHtml(page.title)}</a>`;
    },
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<nav aria-label="Documentation">${links.join('\n')}</nav>
<main>
${body}
</main>
</body>
</html>
`;
}

const style = `
:root { color-scheme: light dark; }
body { max-width: 46rem; margin: 0 auto; padding: 1rem; font: 1rem/1.6 system-ui, sans-serif; }
nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; padding-bottom: 0.75rem; border-bottom: 1px solid #8886; }
nav [aria-current] { font-weight: bold; }
h1, h2, h3 { line-height: 1.25; }
pre, code { font-family: ui-monospace, monospace; font-size: 0.9em; }
code { background: #8882; padding: 0.1em 0.3em; border-radius: 3px; }
pre { background: #8882; padding: 0.75rem; border-radius: 6px; overflow-x: auto; }
pre code { background: none; padding: 0; }
table { display: block; overflow-x: auto; border-collapse: collapse; }
td pre { margin: 0; max-width: 24rem; }
th, td { border: 1px solid #8886; padding: 0.3rem 0.6rem; text-align: left; vertical-align: top; }
img { max-width: 100%; }
`;
