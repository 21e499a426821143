import type { Context } from 'hono';
import { setCookie } from 'hono/cookie';
import type { HttpEnv } from '../http-env.ts';

/** A browser has to show its key again after this time. */
export const sessionMs = 12 * 60 * 60 * 1000;

/** Sets a cookie that no script reads and no other site sends, for the pages below `path`. */
export function setSessionCookie(c: Context<HttpEnv>, name: string, value: string, path: string): void {
  setCookie(c, name, value, {
    path,
    httpOnly: true,
    sameSite: 'Strict',
    secure: new URL(c.req.url).protocol === 'https:' || c.req.header('x-forwarded-proto') === 'https',
    maxAge: sessionMs / 1000,
  });
}

/** Whether a page of this service itself sent a form. Undefined where no origin is named: browsers name it for each form. */
export function isOfOwnOrigin(c: Context<HttpEnv>): boolean | undefined {
  const origin = c.req.header('origin');
  if (origin === undefined) return undefined;
  return URL.canParse(origin) && new URL(origin).host === (c.req.header('host') ?? new URL(c.req.url).host);
}
