import { html } from 'hono/html';
import { documentTypes, type PageSearchParams, periods } from '../../../contract/page-search.ts';
import { searchPath } from '../../../contract/searxng.ts';
import { oneLine } from '../../../text/line/one-line.ts';
import type { Ui } from '../ui/ui.ts';
import type { Html } from './frame.ts';

/** Languages to choose from: those whose words the index divides or stems. */
const languages = ['en', 'zh', 'ja', 'ko', 'ar', 'de', 'es', 'fr', 'it', 'nl', 'pl', 'pt', 'ru', 'sv', 'tr'];

type Filters = Partial<Pick<PageSearchParams, 'lang' | 'time_range' | 'type' | 'site'>>;

/** The search box alone. */
export function searchBox(ui: Ui, q: string): Html {
  return form(ui, q, html``);
}

/** The search box with the filters. `hosts` are offered for the site. */
export function searchForm(ui: Ui, q: string, filters: Filters, hosts: readonly string[] = []): Html {
  const { t } = ui;
  const select = (
    name: keyof Filters,
    label: string,
    options: readonly (readonly [value: string, text: string])[],
  ) =>
    html`<label>${label} <select name="${name}">${options.map(
      ([value, text]) =>
        html`<option value="${value}"${value === (filters[name] ?? '') ? html` selected` : ''}>${text}</option>`,
    )}</select></label>`;
  const { lang } = filters;
  const offered = lang === undefined || languages.includes(lang) ? languages : [...languages, lang];
  return form(
    ui,
    q,
    html`<fieldset class="filters"><legend class="hidden">${t.filters}</legend>
${select('lang', t.language, [['', t.anyLanguage], ...offered.map((code) => [code, ui.languageName(code)] as const)])}
${select('time_range', t.time, [['', t.anyTime], ...periods.map((period) => [period, t.timeRanges[period]] as const)])}
${select('type', t.type, [['', t.anyType], ...documentTypes.map((type) => [type, t.types[type]] as const)])}
<label>${t.site} <input name="site" value="${oneLine(filters.site ?? '')}" size="16" list="hosts" autocapitalize="off"
  autocomplete="off" spellcheck="false"></label>
<datalist id="hosts">${hosts.map((host) => html`<option value="${host}"></option>`)}</datalist>
</fieldset>`,
  );
}

function form(ui: Ui, q: string, filters: Html): Html {
  const { t, lang } = ui;
  const keepsUi = ui.href('').includes('ui=');
  return html`<search><form action="${searchPath}" method="get" id="search">
${keepsUi ? html`<input type="hidden" name="ui" value="${lang}">` : ''}
<div class="box"><input type="search" name="q" id="q" value="${oneLine(q)}" dir="auto" aria-label="${t.query}" maxlength="2048"
  autocapitalize="off" autocomplete="off" enterkeyhint="search" required><button>${t.search}</button></div>
${filters}
</form></search>`;
}
