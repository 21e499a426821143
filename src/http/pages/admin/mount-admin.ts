import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { html } from 'hono/html';
import type { z } from 'zod';
import { invalidParameters, ServiceError } from '../../../contract/errors.ts';
import type { HttpEnv } from '../../http-env.ts';
import { sendProblem } from '../../problem.ts';
import { bodyTooLarge } from '../../request-caps.ts';
import { type AllowedHosts, mcpHostCheck } from '../../security/host-check.ts';
import { mountEvents } from '../events.ts';
import type { Html } from '../people/frame.ts';
import { htmlType } from '../people/send-page.ts';
import { type Ui, uiOf } from '../ui/ui.ts';
import { type AdminAccess, createAdminAccess } from './access.ts';
import {
  adminPage,
  adminPath,
  confirmPage,
  enterPage,
  type ListedKey,
  notice,
  taskSection,
} from './admin-page.ts';
import type { AdminParts, Tasks } from './admin-parts.ts';
import {
  CrawlForm,
  crawlArguments,
  EnterForm,
  ImportForm,
  KeyForm,
  maxUploadBytes,
  RecrawlForm,
  RemoveForm,
  RevokeForm,
  RulesForm,
} from './fields.ts';
import { readForm } from './read-form.ts';

export const uploadPath = `${adminPath}/import`;

type HttpContext = Context<HttpEnv>;

/** The answer to a form: a notice on the page, another page, or a redirect to the same page (undefined). */
type FormAnswer = { readonly told: Html } | { readonly page: string } | undefined;

type MountForm = <Schema extends z.ZodObject>(
  name: string,
  schema: Schema,
  answer: (form: Awaited<ReturnType<typeof readForm<Schema>>>, ui: Ui) => Promise<FormAnswer> | FormAnswer,
) => void;

/**
 * Mounts the page from which tasks are started and stopped, and keys made. Without a session or a key there is a form for the
 * key alone. Every change is a POST from the same origin.
 */
export function mountAdmin(
  app: Hono<HttpEnv>,
  parts: AdminParts,
  { allowedHosts }: { readonly allowedHosts?: AllowedHosts | undefined } = {},
): void {
  const { tasks, hasToken, domainRules } = parts;
  const access = createAdminAccess(parts.keys);
  for (const path of [adminPath, `${adminPath}/*`]) {
    if (allowedHosts) app.use(path, mcpHostCheck(allowedHosts));
    app.use(path, guard(access));
  }
  app.use(
    `${adminPath}/*`,
    bodyLimit({ maxSize: maxUploadBytes, onError: (c) => sendProblem(c, bodyTooLarge(maxUploadBytes)) }),
  );

  const send = (c: HttpContext, page: string, status: 200 | 400 | 401 | 503 = 200) =>
    c.body(page, status, { 'Content-Type': htmlType });
  const listKeys = async (): Promise<ListedKey[]> =>
    JSON.parse((await tasks.ask(['keys', 'list', '--json'])) || '[]') as ListedKey[];
  const sendPage = async (c: HttpContext, ui: Ui, told?: Html, status?: 200 | 400 | 503) =>
    send(c, adminPage(ui, { tasks, keys: await listKeys(), rules: domainRules?.read(), told }), status);

  app.get(adminPath, async (c) => {
    const ui = uiOf(c);
    const token = c.req.query('token');
    // The address that is printed at the start; it does not stay in the address bar.
    if (token !== undefined && access.enter(c, token)) return c.redirect(ui.href(adminPath), 303);
    if (!access.isOpen(c)) return send(c, enterPage(ui, { hasToken, isWrong: token !== undefined }), 401);
    if (c.req.query('part') === '1') return send(c, String(taskSection(ui, tasks)));
    return sendPage(c, ui);
  });
  app.post(`${adminPath}/enter`, async (c) => {
    const ui = uiOf(c);
    const { fields } = await readForm(c, EnterForm);
    if (access.enter(c, fields.key)) return c.redirect(ui.href(adminPath), 303);
    return send(c, enterPage(ui, { hasToken, isWrong: true }), 401);
  });
  app.post(`${adminPath}/leave`, (c) => {
    access.leave(c);
    return c.redirect(uiOf(c).href('/'), 303);
  });
  mountEvents(app, `${adminPath}/events`, {
    state: () =>
      JSON.stringify({ task: tasks.current() ?? null, lastEndedAt: tasks.recent()[0]?.endedAt ?? null }),
    isStopping: parts.isStopping,
  });

  /** Mounts a form. What is refused is said on the page, and nothing else was done. */
  const post: MountForm = (name, schema, answer) => {
    app.post(`${adminPath}/${name}`, async (c) => {
      const ui = uiOf(c);
      try {
        const answered = await answer(await readForm(c, schema), ui);
        if (answered === undefined) return c.redirect(ui.href(adminPath), 303);
        return 'page' in answered ? send(c, answered.page) : await sendPage(c, ui, answered.told);
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code === 'internal') throw error;
        return sendPage(c, ui, notice(error.message, true), error.code === 'unavailable' ? 503 : 400);
      }
    });
  };

  mountTaskForms(post, tasks);
  mountKeyForms(post, tasks);
  if (domainRules)
    post('rules', RulesForm, ({ fields: { rules } }, ui) => {
      domainRules.save(rules.replaceAll('\r\n', '\n'));
      return { told: notice(ui.t.admin.rulesSaved) };
    });
  app.all(`${adminPath}/*`, (c) =>
    sendProblem(c, new ServiceError('not_found', 'there is nothing at this address')),
  );
}

function mountTaskForms(post: MountForm, tasks: Tasks): void {
  post('preview', CrawlForm, async ({ fields }, ui) => {
    const text = await tasks.ask([...crawlArguments({ ...fields, max_pages: undefined }), '--dry-run']);
    const { include, exclude, ...rest } = fields;
    const kept = { ...rest, include: include?.join(' '), exclude: exclude?.join(' ') };
    const shown = Object.entries(kept).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    );
    const { admin } = ui.t;
    return {
      page: confirmPage(ui, {
        title: admin.crawl,
        text,
        action: 'crawl',
        fields: shown,
        button: admin.start,
      }),
    };
  });
  post('crawl', CrawlForm, ({ fields }) => {
    tasks.start('crawl', fields.url, [...crawlArguments(fields), '--json']);
    return undefined;
  });
  post('recrawl', RecrawlForm, ({ fields: { site } }, ui) => {
    const hosts = site === undefined ? [] : [site];
    tasks.start('recrawl', site ?? ui.t.admin.allSites, ['crawl', '--recrawl', '--json', ...hosts]);
    return undefined;
  });
  post('import', ImportForm, async ({ fields: { base_url }, file }) => {
    if (file === undefined || file.size === 0)
      throw invalidParameters([{ parameter: 'file', message: 'must be a file that is not empty' }]);
    const folder = mkdtempSync(join(tmpdir(), 'gleaner-import-'));
    const path = join(folder, safeName(file.name));
    writeFileSync(path, new Uint8Array(await file.arrayBuffer()));
    const base = base_url === undefined ? [] : ['--base-url', base_url];
    tasks.start('import', file.name, ['import', folder, '--json', ...base], () =>
      rmSync(folder, { recursive: true, force: true }),
    );
    return undefined;
  });
  post('remove-preview', RemoveForm, async ({ fields: { target } }, ui) => {
    const text = await tasks.ask(['remove', target, '--dry-run']);
    const { admin } = ui.t;
    const fields = [['target', target]] as const;
    return {
      page: confirmPage(ui, { title: admin.remove, text, action: 'remove', fields, button: admin.removeNow }),
    };
  });
  post('remove', RemoveForm, ({ fields: { target } }) => {
    tasks.start('remove', target, ['remove', target]);
    return undefined;
  });
  post('stop', EnterForm.partial(), () => {
    tasks.stop();
    return undefined;
  });
}

function mountKeyForms(post: MountForm, tasks: Tasks): void {
  post('keys', KeyForm, async ({ fields: { name, per_minute, expires, admin } }, ui) => {
    const args = [
      ...(per_minute === undefined ? [] : ['--per-minute', per_minute]),
      ...(expires === undefined ? [] : ['--expires', expires]),
      ...(admin === undefined ? [] : ['--admin']),
    ];
    const key = (await tasks.ask(['keys', 'create', name, ...args])).trim();
    return {
      told: html`<div class="notice" role="status"><p>${ui.t.admin.newKey}</p><pre tabindex="0">${key}</pre></div>`,
    };
  });
  post('keys/revoke', RevokeForm, async ({ fields: { id } }) => ({
    told: notice(await tasks.ask(['keys', 'revoke', id])),
  }));
}

/** Lets the form for the key through, and everything else with a session or a key. Nothing of it is kept by a cache. */
function guard(access: AdminAccess) {
  return async (c: HttpContext, next: () => Promise<void>): Promise<Response | undefined> => {
    c.header('Cache-Control', 'no-store');
    const isChange = c.req.method !== 'GET' && c.req.method !== 'HEAD';
    if (isChange) access.checkOrigin(c);
    const isEntrance = c.req.path === adminPath || c.req.path === `${adminPath}/enter`;
    if (!isEntrance && !access.isOpen(c))
      throw new ServiceError(
        'unauthorized',
        'this needs the token that was printed at the start, or a key of scope admin',
      );
    await next();
    return undefined;
  };
}

/** The name of an upload, so that its kind is known and no path is in it. */
function safeName(name: string): string {
  const safe = name
    .replace(/^.*[\\/]/, '')
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[.-]+/, '');
  return safe === '' ? 'upload' : safe.slice(-100);
}
