import { html, raw } from 'hono/html';
import { type Ui, type UiLanguage, uiLanguages } from '../ui/ui.ts';

/** A piece of a page. What goes into it with `${}` is escaped, pieces are not escaped again. */
export type Html = ReturnType<typeof html>;

export const assetPaths = {
  style: '/assets/page.css',
  script: '/assets/page.js',
  icon: '/favicon.svg',
} as const;

/** Not in a template of the page: a bundler would put a function of a package into its place. */
const endOfScript = raw('</script>');

export interface FrameOptions {
  readonly ui: Ui;
  readonly title: string;
  readonly current?: 'search' | 'status' | 'admin' | 'docs';
  /** Whether the client may see `/status`. */
  readonly showsStatus?: boolean;
  /** Whether things can be done from `/admin`, and the client may know. */
  readonly showsAdmin?: boolean;
  /** Whether the page is there in one language alone. */
  readonly isInOneLanguage?: boolean;
  /** Seconds after which the page loads itself again where there are no scripts. */
  readonly refreshSeconds?: number | undefined;
}

/** A whole HTML document around `main`. It asks nothing of another site, and works without its script. */
export function frame(
  {
    ui,
    title,
    current,
    showsStatus = false,
    showsAdmin = false,
    isInOneLanguage = false,
    refreshSeconds,
  }: FrameOptions,
  main: Html,
): string {
  const { t } = ui;
  const link = (name: FrameOptions['current'], path: string, text: string) =>
    html`<a href="${ui.href(path)}"${name === current ? html` aria-current="page"` : ''}>${text}</a>`;
  const others = uiLanguages
    .filter((lang) => lang !== ui.lang && !isInOneLanguage)
    .map(
      (lang) =>
        html`<a href="${ui.inLanguage(lang)}" hreflang="${lang}" lang="${lang}">${languageNames[lang]}</a>`,
    );
  const page = html`<!doctype html>
<html lang="${ui.lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${refreshSeconds === undefined ? '' : html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}"></noscript>`}
<title>${title}</title>
<link rel="stylesheet" href="${assetPaths.style}">
<link rel="icon" href="${assetPaths.icon}" type="image/svg+xml">
<link rel="search" type="application/opensearchdescription+xml" href="/opensearch.xml" title="Gleaner">
<script type="module" src="${assetPaths.script}">${endOfScript}
</head>
<body>
<a class="skip" href="#main">${t.skip}</a>
<header>
<nav aria-label="${t.nav}">
${link('search', '/', 'Gleaner')}
${showsStatus ? link('status', '/status', t.status) : ''}
${showsAdmin ? link('admin', '/admin', t.admin.title) : ''}
${link('docs', '/docs', t.documentation)}
${others}
</nav>
</header>
<main id="main" tabindex="-1">
${main}
</main>
</body>
</html>
`;
  // No piece is a promise.
  return String(page);
}

const languageNames: Readonly<Record<UiLanguage, string>> = { en: 'English', zh: '中文' };
