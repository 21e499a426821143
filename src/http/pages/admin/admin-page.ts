import { html } from 'hono/html';
import { oneLine } from '../../../text/line/one-line.ts';
import { frame, type Html } from '../people/frame.ts';
import { keyForm } from '../people/key-form.ts';
import { scrollTable } from '../people/status-tables.ts';
import type { Ui } from '../ui/ui.ts';
import type { Task, Tasks } from './admin-parts.ts';

export const adminPath = '/admin';

/** A key as `gleaner keys list --json` gives it. */
export interface ListedKey {
  readonly name: string;
  readonly id: string;
  readonly perMinute: number;
  readonly expiresAt: string | null;
  readonly state: string;
  readonly scope?: string | undefined;
}

export interface AdminView {
  readonly tasks: Pick<Tasks, 'current' | 'recent'>;
  readonly keys: readonly ListedKey[];
  /** The file of rules for domains; undefined where none is set. */
  readonly rules: string | undefined;
  /** What the last form led to, above everything. */
  readonly told?: Html | undefined;
}

export function adminPage(ui: Ui, { tasks, keys, rules, told }: AdminView): string {
  const { admin } = ui.t;
  return adminFrame(
    ui,
    html`<h1>${admin.title}</h1>
${told ?? ''}
${taskSection(ui, tasks)}
${crawlForm(ui)}
${otherForms(ui)}
${rulesSection(ui, rules)}
${keySection(ui, keys)}
<form method="post" action="${ui.href(`${adminPath}/leave`)}"><button>${admin.leave}</button></form>`,
  );
}

/** Where a key has to be shown first. `isWrong` after one that opened nothing. */
export function enterPage(ui: Ui, { hasToken, isWrong }: { hasToken: boolean; isWrong: boolean }): string {
  const { admin } = ui.t;
  return adminFrame(
    ui,
    html`<h1>${admin.title}</h1>
${keyForm({
  action: ui.href(`${adminPath}/enter`),
  text: hasToken ? admin.enterToken : admin.enterKey,
  label: admin.key,
  button: admin.enter,
  wrong: isWrong ? admin.wrongKey : undefined,
})}`,
  );
}

function adminFrame(ui: Ui, main: Html): string {
  return frame(
    { ui, title: `${ui.t.admin.title} – Gleaner`, current: 'admin', showsStatus: true, showsAdmin: true },
    main,
  );
}

/** The part of the page that changes while a task runs. A script reloads this part; without scripts, a link reloads the page. */
export function taskSection(ui: Ui, { current, recent }: AdminView['tasks']): Html {
  const { admin } = ui.t;
  const running = current();
  const ended = recent();
  return html`<section id="live" data-events="${adminPath}/events" aria-live="polite"><h2>${admin.tasks}</h2>
${running ? runningTask(ui, running) : html`<p>${admin.noTask}</p>`}
${
  ended.length === 0
    ? ''
    : scrollTable(
        admin.ended,
        [admin.task, admin.outcome, admin.ended, admin.said],
        ended.map((task) => endedTask(ui, task)),
      )
}
</section>`;
}

function runningTask(ui: Ui, { kind, what, progress, outcome, startedAt }: Task): Html {
  const { admin, state } = ui.t;
  const facts: (readonly [string, string])[] = [[admin.since, ui.dateTime(startedAt)]];
  if (progress) {
    const { pages, failed, queued, pagesPerSecond, secondsLeft, url } = progress;
    facts.push(
      [state.pages, ui.number(pages)],
      [admin.failed, ui.number(failed)],
      [state.waitingUrls, ui.number(queued)],
    );
    if (pagesPerSecond !== undefined) facts.push([admin.rate, admin.perSecond(ui.number(pagesPerSecond))]);
    if (secondsLeft !== undefined)
      facts.push([admin.expectedEnd, ui.dateTime(Date.now() + secondsLeft * 1000)]);
    if (url !== undefined) facts.push([admin.lastUrl, oneLine(url)]);
  }
  return html`<p><strong>${admin.kinds[kind]}: ${oneLine(what)}</strong></p>
<dl class="facts">${facts.map(([name, value]) => html`<dt>${name}</dt><dd dir="auto">${value}</dd>`)}</dl>
<form method="post" action="${ui.href(`${adminPath}/stop`)}"><button${outcome === 'stopped' ? html` disabled` : ''}>${outcome === 'stopped' ? admin.stopping : admin.stop}</button>
<a href="${ui.href(adminPath)}">${admin.refresh}</a></form>`;
}

function endedTask(ui: Ui, { kind, what, outcome = 'done', endedAt, said }: Task): Html {
  const { admin } = ui.t;
  return html`<tr><th scope="row">${admin.kinds[kind]}: ${oneLine(what)}</th><td>${admin.outcomes[outcome]}</td><td>${endedAt === undefined ? '' : ui.dateTime(endedAt)}</td><td><pre tabindex="0" lang="en">${said}</pre></td></tr>`;
}

function crawlForm(ui: Ui): Html {
  const { admin } = ui.t;
  return html`<h2>${admin.crawl}</h2>
<form method="post" action="${ui.href(`${adminPath}/preview`)}" class="fields">
<label>${admin.address} <input type="url" name="url" required placeholder="https://docs.example.com/" maxlength="2048"></label>
<label>${admin.maxPages} <input name="max_pages" inputmode="numeric" value="1000" size="8"></label>
<label>${admin.delay} <input name="delay" inputmode="numeric" size="4"></label>
<label>${admin.include} <input name="include" placeholder="/docs/*"></label>
<label>${admin.exclude} <input name="exclude" placeholder="*.pdf"></label>
<label class="check"><input type="checkbox" name="same_path" value="1"> ${admin.samePath}</label>
<button>${admin.preview}</button></form>`;
}

function otherForms(ui: Ui): Html {
  const { admin } = ui.t;
  const action = (name: string) => ui.href(`${adminPath}/${name}`);
  return html`<h2>${admin.recrawl}</h2>
<form method="post" action="${action('recrawl')}" class="fields"><label>${admin.recrawlSite} <input name="site" maxlength="2048" placeholder="docs.example.com"></label>
<button>${admin.recrawlNow}</button></form>
<h2>${admin.import}</h2>
<form method="post" action="${action('import')}" enctype="multipart/form-data" class="fields"><label>${admin.file} <input type="file" name="file" required></label>
<label>${admin.baseUrl} <input type="url" name="base_url" placeholder="https://docs.example.com/" maxlength="2048"></label>
<button>${admin.importNow}</button></form>
<h2>${admin.remove}</h2>
<form method="post" action="${action('remove-preview')}" class="fields"><label>${admin.removeTarget} <input name="target" required maxlength="2048" placeholder="https://docs.example.com/old/*"></label>
<button>${admin.preview}</button></form>`;
}

function rulesSection(ui: Ui, rules: string | undefined): Html {
  const { admin } = ui.t;
  if (rules === undefined) return html`<h2>${admin.rules}</h2><p>${admin.noRules}</p>`;
  return html`<h2>${admin.rules}</h2>
<form method="post" action="${ui.href(`${adminPath}/rules`)}" class="fields"><label class="wide">${admin.rulesHint} <textarea name="rules" rows="8" spellcheck="false" dir="ltr">
${rules}</textarea></label>
<button>${admin.saveRules}</button></form>`;
}

function keySection(ui: Ui, keys: readonly ListedKey[]): Html {
  const { admin } = ui.t;
  const action = (name: string) => ui.href(`${adminPath}/${name}`);
  const rows = keys.map(({ name, id, perMinute, expiresAt, state, scope }) => {
    const revoke =
      state === 'valid'
        ? html`<form method="post" action="${action('keys/revoke')}"><input type="hidden" name="id" value="${id}"><button aria-label="${admin.revokeKey(name)}">${admin.revoke}</button></form>`
        : '';
    return html`<tr><th scope="row">${name}</th><td class="number">${ui.number(perMinute)}</td><td>${expiresAt === null ? ui.t.state.never : ui.dateTime(expiresAt)}</td><td>${scope ?? ''}</td><td>${state}</td><td>${revoke}</td></tr>`;
  });
  const heads = [admin.keyName, admin.perMinute, admin.expires, admin.scope, ui.t.state.state, admin.revoke];
  return html`<h2>${admin.keys}</h2>
${keys.length === 0 ? '' : scrollTable(admin.keys, heads, rows)}
<form method="post" action="${action('keys')}" class="fields"><label>${admin.keyName} <input name="name" required maxlength="64"></label>
<label>${admin.perMinute} <input name="per_minute" inputmode="numeric" size="6"></label>
<label>${admin.expires} <input type="date" name="expires"></label>
<label class="check"><input type="checkbox" name="admin" value="1"> ${admin.adminScope}</label>
<button>${admin.makeKey}</button></form>`;
}

/** A notice above the page: what was done, or what a command answered. */
export function notice(text: string, isWrong = false): Html {
  return html`<div class="notice${isWrong ? ' error' : ''}" role="${isWrong ? 'alert' : 'status'}"><pre tabindex="0" lang="en">${text}</pre></div>`;
}

/** What a command answered before it does anything, with the button that lets it. */
export function confirmPage(ui: Ui, { title, text, action, fields, button }: ConfirmOptions): string {
  const hidden = fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
  return adminFrame(
    ui,
    html`<h1>${title}</h1>
<pre tabindex="0" lang="en">${text}</pre>
<form method="post" action="${ui.href(`${adminPath}/${action}`)}" class="fields">${hidden}
<button>${button}</button> <a href="${ui.href(adminPath)}">${ui.t.admin.back}</a></form>`,
  );
}

export interface ConfirmOptions {
  readonly title: string;
  readonly text: string;
  /** Where the form leads, below the page. */
  readonly action: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly button: string;
}
