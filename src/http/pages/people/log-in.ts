import type { Hono, MiddlewareHandler } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';
import { ServiceError } from '../../../contract/errors.ts';
import type { HttpEnv } from '../../http-env.ts';
import type { KeySessions } from '../../rate-limit.ts';
import { isOfOwnOrigin } from '../../security/session-cookie.ts';
import { readForm } from '../admin/read-form.ts';
import { type Ui, uiOf } from '../ui/ui.ts';
import { frame } from './frame.ts';
import { keyForm } from './key-form.ts';
import { htmlType } from './send-page.ts';

export const logInPaths = { enter: '/login', leave: '/logout' } as const;

const LogInForm = z.object({ key: z.string().trim().max(200), to: z.string().max(4096).optional() });

/** Paths of programs, which get problem details in any case. */
const ofPrograms = /^\/(?:api|mcp|openwebui)(?:\/|$)/;

/** Mounts the form by which a person shows a key once, and has a session from then on. */
export function mountLogIn(app: Hono<HttpEnv>, sessions: KeySessions): void {
  const { enter, leave } = logInPaths;
  app.use(enter, noStore);
  app.use(leave, noStore);
  app.get(enter, (c) => {
    const ui = uiOf(c);
    return c.body(sessions.isOpen(c) ? leavePage(ui) : logInPage(ui, { to: '/' }), 200, asHtml);
  });
  app.post(enter, async (c) => {
    checkOrigin(isOfOwnOrigin(c));
    const { fields } = await readForm(c, LogInForm);
    const to = pathWithin(fields.to);
    if (await sessions.enter(c, fields.key)) return c.redirect(to, 303);
    return c.body(logInPage(uiOf(c), { to, isWrong: true }), 401, asHtml);
  });
  app.post(leave, (c) => {
    checkOrigin(isOfOwnOrigin(c));
    sessions.leave(c);
    return c.redirect(uiOf(c).href(enter), 303);
  });
}

/** Where only holders of a key are let in: shows a browser the form where it asks for a page without a key. */
export function askForKey(isOpen: (path: string) => boolean): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const { method, path } = c.req;
    const caller = c.get('caller');
    const isMissing = caller.kind === 'refused' && caller.isMissing === true;
    const takesHtml = c.req.header('accept')?.includes('text/html') ?? false;
    if (method !== 'GET' || !takesHtml || !isMissing || isOpen(path) || ofPrograms.test(path)) return next();
    const { pathname, search } = new URL(c.req.url);
    c.header('WWW-Authenticate', 'Bearer realm="gleaner"');
    c.header('Cache-Control', 'no-store');
    return c.body(logInPage(uiOf(c), { to: pathWithin(`${pathname}${search}`) }), 401, asHtml);
  };
}

const asHtml = { 'Content-Type': htmlType };

const noStore: MiddlewareHandler<HttpEnv> = async (c, next) => {
  c.header('Cache-Control', 'no-store');
  await next();
};

function checkOrigin(isOwn: boolean | undefined): void {
  if (isOwn) return;
  throw new ServiceError('forbidden', 'only the pages of this service itself may send this form');
}

/** A path of this service; `/` for what could lead to another one. */
function pathWithin(to: string | undefined): string {
  const base = 'http://here.invalid';
  const isPath = to !== undefined && /^\/(?![/\\])/.test(to) && URL.canParse(to, base);
  const url = isPath ? new URL(to, base) : undefined;
  return url?.origin === base ? `${url.pathname}${url.search}` : '/';
}

function logInPage(ui: Ui, { to, isWrong = false }: { to: string; isWrong?: boolean }): string {
  const { logIn } = ui.t;
  const form = keyForm({
    action: ui.href(logInPaths.enter),
    text: logIn.text,
    label: logIn.key,
    button: logIn.title,
    wrong: isWrong ? logIn.wrong : undefined,
    to,
  });
  return frame({ ui, title: `${logIn.title} – Gleaner` }, html`<h1>${logIn.title}</h1>${form}`);
}

function leavePage(ui: Ui): string {
  const { logIn } = ui.t;
  const form = html`<form method="post" action="${ui.href(logInPaths.leave)}"><button>${logIn.leave}</button></form>`;
  return frame({ ui, title: `${logIn.leave} – Gleaner` }, html`<h1>${logIn.isIn}</h1>${form}`);
}
