import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { deleteCookie, getCookie } from 'hono/cookie';
import type { HttpEnv } from '../http-env.ts';
import { sessionMs, setSessionCookie } from './session-cookie.ts';

/** Sessions of browsers that showed a key once. */
export interface Sessions {
  /** The key of the request's session; undefined without one. Whether it is still valid is not looked at. */
  keyOf(c: Context<HttpEnv>): string | undefined;
  begin(c: Context<HttpEnv>, key: string): void;
  end(c: Context<HttpEnv>): void;
}

const cookieName = 'gleaner_session';
const path = '/';
const algorithm = 'aes-256-gcm';
const [ivBytes, tagBytes] = [12, 16] as const;

/** Of sessions that all processes of a service know, until it ends. */
export function makeSessionSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The key is in the cookie, sealed with the secret of the service, so that no process has to remember a session. */
export function createSessions(secret: string, now: () => number = Date.now): Sessions {
  const sealKey = Buffer.from(secret, 'base64url');

  const seal = (text: string): string => {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv(algorithm, sealKey, iv);
    const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
  };
  const unseal = (sealed: string): string | undefined => {
    const bytes = Buffer.from(sealed, 'base64url');
    if (bytes.length <= ivBytes + tagBytes) return undefined;
    const decipher = createDecipheriv(algorithm, sealKey, bytes.subarray(0, ivBytes));
    decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
    try {
      return decipher.update(bytes.subarray(ivBytes + tagBytes)) + decipher.final('utf8');
    } catch {
      // It was changed, or is of another secret.
      return undefined;
    }
  };

  return {
    keyOf: (c) => {
      const [, until, key] = /^(\d+) (.+)$/.exec(unseal(getCookie(c, cookieName) ?? '') ?? '') ?? [];
      return Number(until) > now() ? key : undefined;
    },
    begin: (c, key) => setSessionCookie(c, cookieName, seal(`${now() + sessionMs} ${key}`), path),
    end: (c) => void deleteCookie(c, cookieName, { path }),
  };
}
