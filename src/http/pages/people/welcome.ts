import { html } from 'hono/html';
import type { Ui } from '../ui/ui.ts';
import type { Html } from './frame.ts';

/** What to do first, while the index holds no page of the user's. `origin` is the address of this service. */
export function welcome({ t, href }: Ui, origin: string): Html {
  return html`<h2>${t.welcome}</h2>
<p>${t.steps}</p>
<ol>
<li>${t.stepCrawl} <pre tabindex="0"><code>gleaner crawl https://docs.example.com/</code></pre></li>
<li>${t.stepImport} <pre tabindex="0"><code>gleaner import ./manuals --base-url https://docs.example.com/</code></pre></li>
<li>${t.stepConnect} <pre tabindex="0"><code>${origin}/mcp</code></pre></li>
</ol>
<p>${t.ownDocs} <a href="${href('/docs')}">${t.documentation}</a></p>`;
}
