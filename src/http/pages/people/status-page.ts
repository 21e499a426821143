import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import { ServiceError } from '../../../contract/errors.ts';
import { StatusReport } from '../../../contract/status-report.ts';
import { oneLine } from '../../../text/line/one-line.ts';
import { sendUncached } from '../../cacheable-response.ts';
import type { HttpEnv } from '../../http-env.ts';
import { mountGet } from '../../mount-route.ts';
import { isPrivateClient } from '../../security/private-client.ts';
import { mountEvents } from '../events.ts';
import type { Ui } from '../ui/ui.ts';
import { frame, type Html } from './frame.ts';
import { htmlType, pageRoute } from './send-page.ts';
import { hostTable, providerTable, scrollTable } from './status-tables.ts';

/** `public`: without what was read with credentials. */
export type SeenPages = 'all' | 'public';

export interface StatusParts {
  readonly report: (seen: SeenPages) => Promise<StatusReport>;
  /** The crawls of the report, as they are now. */
  readonly crawls: (seen: SeenPages) => StatusReport['crawls'];
  /** Whether a client sees private pages, and so the sites that have some; default all. */
  readonly seesPrivatePages?: (c: Context<HttpEnv>) => boolean;
  /** Whether things can be done from `/admin`. */
  readonly hasAdmin?: boolean;
  /** Whether there is a page besides the report for programs; default true. */
  readonly hasPages?: boolean;
  /** The same as of `/metrics`: it names the sites that are read, and what the machine does. */
  readonly access: 'private' | 'public';
}

const [pagePath, apiPath] = ['/status', '/api/v1/status'] as const;
const eventsPath = `${apiPath}/events`;
export const statusPaths: readonly string[] = [pagePath, apiPath];

/** A running crawl is looked at this often, also without a script. */
const refreshSeconds = 5;

export function maySeeStatus(c: Context<HttpEnv>, { access }: Pick<StatusParts, 'access'>): boolean {
  return access === 'public' || isPrivateClient(c);
}

/** Mounts the state of the service for people and for programs. Both read alone, and are not counted by any limit. */
export function mountStatus(app: Hono<HttpEnv>, status: StatusParts, isStopping: () => boolean): void {
  const mayWatch = (c: Context<HttpEnv>): void => {
    if (!maySeeStatus(c, status)) throw new ServiceError('not_found', 'there is nothing at this address');
  };
  const { seesPrivatePages = () => true } = status;
  const seenBy = (c: Context<HttpEnv>): SeenPages => (seesPrivatePages(c) ? 'all' : 'public');
  const reportFor = async (c: Context<HttpEnv>): Promise<StatusReport> => {
    mayWatch(c);
    return StatusReport.parse(await status.report(seenBy(c)));
  };
  mountGet(app, apiPath, async (c) => sendUncached(c, await reportFor(c)));
  mountEvents(app, eventsPath, {
    state: (c) => JSON.stringify(status.crawls(seenBy(c))),
    mayWatch,
    isStopping,
  });
  if (status.hasPages === false) return;
  mountGet(
    app,
    pagePath,
    pageRoute(async (c, ui) => {
      const report = await reportFor(c);
      c.header('Cache-Control', 'no-store');
      const isRunning = report.crawls.some(({ is_running }) => is_running);
      const page = frame(
        {
          ui,
          title: `${ui.t.status} – Gleaner`,
          current: 'status',
          showsStatus: true,
          showsAdmin: status.hasAdmin ?? false,
          refreshSeconds: isRunning ? refreshSeconds : undefined,
        },
        statusHtml(ui, report),
      );
      return c.body(page, 200, { 'Content-Type': htmlType });
    }),
  );
}

function statusHtml(ui: Ui, report: StatusReport): Html {
  const { t } = ui;
  return html`<h1>${t.status}</h1>
${summary(ui, report)}
${crawlTable(ui, report)}
${hostTable(ui, report)}
${providerTable(ui, report)}
<p class="hint">${t.state.surveyed(ui.dateTime(report.surveyed_at))}</p>`;
}

const hourSeconds = 3600;

function summary(ui: Ui, report: StatusReport): Html {
  const { state } = ui.t;
  const { number, bytes } = ui;
  const { in_flight, waiting } = report.requests;
  const uptime = state.uptime(number(Math.floor(report.uptime_seconds / hourSeconds)));
  const limits = Object.entries(report.limits).map(([name, limit]) => `${name} ${limit}`);
  const facts: readonly (readonly [name: string, value: string])[] = [
    [state.pages, number(report.pages)],
    [state.searchable, number(report.searchable)],
    [state.copies, number(report.copies)],
    [state.disk, bytes(report.disk_bytes)],
    [state.storage, report.storage ?? state.writable],
    [state.unpacked, number(report.index.unpacked_changes)],
    [state.queue, state.queued(number(in_flight), number(waiting))],
    [state.limits, limits.join(', ')],
    [state.memory, bytes(report.memory_bytes)],
    [state.version, `${report.version}, ${uptime}`],
  ];
  return html`<h2>${state.summary}</h2>
<dl class="facts">${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

/** The part of the page that changes while a crawl runs. A script reloads this part; without scripts, the whole page refreshes. */
function crawlTable(ui: Ui, { crawls }: StatusReport): Html {
  const { state } = ui.t;
  const heads = [state.host, state.state, state.pages, state.rate, state.waitingUrls, state.expectedEnd];
  const rows = crawls.map(
    ({ host, is_running, pages, queued, pages_per_minute: rate, expected_end }) =>
      html`<tr><th scope="row">${oneLine(host)}</th><td>${is_running ? state.running : state.stopped}</td><td class="number">${ui.number(pages)}</td><td class="number">${rate === null ? '' : ui.number(rate)}</td><td class="number">${ui.number(queued)}</td><td>${expected_end === null ? '' : ui.dateTime(expected_end)}</td></tr>`,
  );
  const table =
    crawls.length === 0
      ? ''
      : html`<h2>${state.crawls}</h2>
${scrollTable(state.crawls, heads, rows)}`;
  return html`<section id="live" data-events="${eventsPath}">${table}</section>`;
}
