import { html } from 'hono/html';
import { searchPath } from '../../../contract/searxng.ts';
import type { HostReport, StatusReport } from '../../../contract/status-report.ts';
import { oneLine } from '../../../text/line/one-line.ts';
import type { Ui } from '../ui/ui.ts';
import type { Html } from './frame.ts';

/** The hosts with the most pages. */
export function hostTable(ui: Ui, { hosts, host_count }: StatusReport): Html | '' {
  if (hosts.length === 0) return '';
  const { state } = ui.t;
  const heading = state.hosts(ui.number(hosts.length), ui.number(host_count));
  const heads = [state.host, state.pages, state.copies, state.lastVisit, state.nextVisit, state.failures];
  return html`<h2>${heading}</h2>
${scrollTable(
  heading,
  heads,
  hosts.map((each) => hostRow(ui, each)),
)}`;
}

function hostRow(ui: Ui, { host, pages, copies, last_visit, next_visit, failures }: HostReport): Html {
  const { state } = ui.t;
  const day = (time: string | null) => (time === null ? state.never : ui.date(time));
  const name =
    host === ''
      ? state.files
      : html`<a href="${ui.href(searchPath, { q: `site:${host}` })}">${oneLine(host)}</a>`;
  const reasons = failures.map(({ reason, urls }) => `${oneLine(reason)}: ${ui.number(urls)}`);
  return html`<tr><th scope="row">${name}</th><td class="number">${ui.number(pages)}</td><td class="number">${ui.number(copies)}</td><td>${day(last_visit)}</td><td>${day(next_visit)}</td><td>${reasons.join('; ')}</td></tr>`;
}

/** Other services, and how each is doing. */
export function providerTable(ui: Ui, { providers }: StatusReport): Html {
  const { state } = ui.t;
  if (providers.length === 0) return html`<h2>${state.providers}</h2><p>${state.noProviders}</p>`;
  const rows = providers.map(
    ({ name, asked_at, answered_at, took_ms, failure, missing, retry_at, remaining }) => {
      const facts = [
        failure ?? (asked_at === null ? state.notAskedYet : state.ok),
        missing ?? '',
        retry_at === null ? '' : state.restsUntil(ui.dateTime(retry_at)),
        remaining === null ? '' : state.left(ui.number(remaining)),
      ].filter((fact) => fact !== '');
      const answered = answered_at === null ? state.never : ui.dateTime(answered_at);
      const took = took_ms === null ? '' : ` (${ui.number(took_ms)} ms)`;
      return html`<tr><th scope="row">${name}</th><td>${facts.join('; ')}</td><td>${answered}${took}</td></tr>`;
    },
  );
  return html`<h2>${state.providers}</h2>
${scrollTable(state.providers, [state.provider, state.state, state.lastAnswer], rows)}`;
}

/** A table that scrolls by itself where it is too wide. */
export function scrollTable(label: string, heads: readonly string[], rows: readonly Html[]): Html {
  return html`<div class="scroll" role="group" aria-label="${label}" tabindex="0"><table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>`;
}
