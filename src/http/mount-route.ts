import type { Context, Hono } from 'hono';
import { ServiceError } from '../contract/errors.ts';
import type { HttpEnv } from './http-env.ts';
import { sendProblem } from './problem.ts';
import { optionsAnswer } from './security/cors.ts';

export type RouteHandler = (c: Context<HttpEnv>) => Response | Promise<Response>;

/** Answers GET, HEAD and OPTIONS under a path; other methods are a 405. */
export function mountGet(app: Hono<HttpEnv>, path: string, handler: RouteHandler): void {
  app.get(path, handler);
  refuseOthers(app, path, { allowed: 'GET, HEAD, OPTIONS', advice: 'use GET or HEAD' });
}

/** Answers POST with a JSON body, and OPTIONS, under a path; other methods are a 405. */
export function mountPost(app: Hono<HttpEnv>, path: string, handler: RouteHandler): void {
  app.post(path, handler);
  refuseOthers(app, path, { allowed: 'POST, OPTIONS', advice: 'use POST' }, 'Content-Type');
}

function refuseOthers(
  app: Hono<HttpEnv>,
  path: string,
  { allowed, advice }: { readonly allowed: string; readonly advice: string },
  moreHeaders?: string,
): void {
  app.options(path, (c) => optionsAnswer(c, allowed, moreHeaders));
  app.all(path, (c) => {
    c.header('Allow', allowed);
    const message = `${c.req.method} is not possible here: ${advice}`;
    return sendProblem(c, new ServiceError('method_not_allowed', message));
  });
}
