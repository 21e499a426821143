import { createHash, randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { deleteCookie, getCookie } from 'hono/cookie';
import { ServiceError } from '../../../contract/errors.ts';
import type { HttpEnv } from '../../http-env.ts';
import { isOfOwnOrigin, sessionMs, setSessionCookie } from '../../security/session-cookie.ts';
import type { AdminKeys } from './admin-parts.ts';

const cookieName = 'gleaner_admin';
/** Sessions at a time; the oldest makes room. */
const maxSessions = 100;

export interface AdminAccess {
  /** Whether the request has a session, or shows a key itself. */
  isOpen(c: Context<HttpEnv>): boolean;
  /** Begins a session if the text is a key; whether it is. */
  enter(c: Context<HttpEnv>, key: string): boolean;
  leave(c: Context<HttpEnv>): void;
  /** Throws `forbidden` for a change that another web page may have sent. */
  checkOrigin(c: Context<HttpEnv>): void;
}

/**
 * Who may do things. A browser shows its key once and has a session, in a cookie that is sent to these pages alone and by
 * no other site; a program shows its key in each request. Sessions live as long as the process.
 */
export function createAdminAccess({ isValid }: AdminKeys, now: () => number = Date.now): AdminAccess {
  const sessions = new Map<string, { readonly key: string; readonly until: number }>();

  const hasSession = (c: Context): boolean => {
    const session = sessions.get(digest(getCookie(c, cookieName) ?? ''));
    // A key that was revoked meanwhile ends what it opened.
    return session !== undefined && now() < session.until && isValid(session.key);
  };
  const hasKey = (c: Context): boolean => {
    const shown = /^bearer\s+(\S+)$/i.exec(c.req.header('authorization')?.trim() ?? '')?.[1];
    return shown !== undefined && isValid(shown);
  };

  return {
    isOpen: (c) => hasKey(c) || hasSession(c),
    enter: (c, key) => {
      if (!isValid(key)) return false;
      const id = randomBytes(24).toString('base64url');
      for (const [oldest, { until }] of sessions)
        if (sessions.size >= maxSessions || until <= now()) sessions.delete(oldest);
      sessions.set(digest(id), { key, until: now() + sessionMs });
      setSessionCookie(c, cookieName, id, '/admin');
      return true;
    },
    leave: (c) => {
      sessions.delete(digest(getCookie(c, cookieName) ?? ''));
      deleteCookie(c, cookieName, { path: '/admin' });
    },
    checkOrigin: (c) => {
      // A program shows its key.
      if (!(isOfOwnOrigin(c) ?? hasKey(c)))
        throw new ServiceError(
          'forbidden',
          'only the pages of this service itself may do this, or a program that shows a key',
        );
    },
  };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
