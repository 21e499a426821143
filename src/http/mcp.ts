import type { Hono } from 'hono';
import { ServiceError } from '../contract/errors.ts';
import type { Admitted, RouteClass } from '../limits/admission.ts';
import { type Origins, optionsAnswer } from './cors.ts';
import { type KnownHosts, onlyUnderKnownHostsOfMcp } from './host-check.ts';
import { onlyFromKnownOrigins } from './origin-check.ts';
import { problem } from './problem.ts';
import type { HttpFairUse } from './rate-limit.ts';

export interface McpRouteOptions {
  /** Web pages whose scripts may ask, besides those of this machine. */
  readonly origins: Origins;
  /** Answers one POST; `admit` counts a tool call of it, or throws what the call is to be told. */
  readonly answer: (
    request: Request,
    admit?: (routeClass: RouteClass, tokens?: number) => Admitted,
  ) => Promise<Response>;
}

interface McpRouteParts {
  readonly fairUse?: HttpFairUse | undefined;
  readonly knownHosts?: KnownHosts | undefined;
}

const path = '/mcp';
const methods = 'POST, OPTIONS';
/** What clients in web pages send besides the headers of the API. */
const headers = 'Accept, Content-Type, Last-Event-ID, Mcp-Protocol-Version, Mcp-Session-Id';

/** Puts MCP under `/mcp`. There is nothing to GET or to DELETE: no stream of the server's own, no session. */
export function mountMcp(app: Hono, options: McpRouteOptions, parts: McpRouteParts = {}): void {
  const { answer, origins } = options;
  const { fairUse, knownHosts } = parts;
  if (knownHosts) app.use(path, onlyUnderKnownHostsOfMcp(knownHosts));
  app.use(path, onlyFromKnownOrigins(origins));
  app.options(path, (c) => optionsAnswer(c, methods, headers));
  app.post(path, (c) => {
    if (!fairUse) return answer(c.req.raw);
    const { checkKey, admit } = fairUse.calls;
    checkKey(c);
    return answer(c.req.raw, (routeClass, tokens) => admit(c, routeClass, tokens));
  });
  app.all(path, (c) => {
    c.header('Allow', methods);
    const message = `${c.req.method} is not possible here: MCP messages are sent by POST`;
    return problem(c, new ServiceError('method_not_allowed', message));
  });
}
