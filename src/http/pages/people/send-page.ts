import type { Context } from 'hono';
import { html } from 'hono/html';
import { ServiceError } from '../../../contract/errors.ts';
import { sendCacheable } from '../../cacheable-response.ts';
import type { HttpEnv } from '../../http-env.ts';
import type { RouteHandler } from '../../mount-route.ts';
import { problemDetails } from '../../problem-details.ts';
import { type Ui, uiOf } from '../ui/ui.ts';
import { frame } from './frame.ts';
import { searchBox } from './search-form.ts';

export const htmlType = 'text/html; charset=UTF-8';

export function sendPage(c: Context, body: string, maxAgeSeconds: number): Promise<Response> {
  return sendCacheable(c, { body, type: htmlType, maxAgeSeconds });
}

/**
 * The route of a page for people. What the service refuses is said on a page where the client takes HTML, as browsers do,
 * and as problem details elsewhere.
 */
export function pageRoute(answer: (c: Context<HttpEnv>, ui: Ui) => Promise<Response>): RouteHandler {
  return async (c) => {
    const ui = uiOf(c);
    try {
      return await answer(c, ui);
    } catch (error) {
      const isShown = error instanceof ServiceError && error.code !== 'internal';
      if (!isShown || !c.req.header('accept')?.includes('text/html')) throw error;
      const { retry_after_seconds: seconds } = problemDetails(error);
      if (seconds !== undefined) c.header('Retry-After', String(seconds));
      c.header('Cache-Control', 'no-store');
      return c.body(errorPage(ui, error, c.req.query('q')), error.status as 400, {
        'Content-Type': htmlType,
      });
    }
  };
}

function errorPage(ui: Ui, { message }: ServiceError, q = ''): string {
  const { t } = ui;
  return frame(
    { ui, title: t.errorTitle },
    html`<h1>${t.errorTitle}</h1>
<p class="notice error" role="alert" lang="en">${message}</p>
${searchBox(ui, q)}`,
  );
}
