import type { Context, Hono } from 'hono';
import { ServiceError } from '../contract/errors.ts';
import type { Admitted } from '../limits/admission.ts';
import type { RouteClass } from '../limits/client-limits.ts';
import type { HttpEnv } from './http-env.ts';
import { sendProblem } from './problem.ts';
import type { RateLimit } from './rate-limit.ts';
import { type Origins, optionsAnswer } from './security/cors.ts';
import { type AllowedHosts, mcpHostCheck } from './security/host-check.ts';
import { originCheck } from './security/origin-check.ts';

export interface McpRouteOptions {
  /** Origins of web pages that may call, besides those of this machine. */
  readonly origins: Origins;
  /** Answers one POST. `admit` counts one tool call of it, or throws the error for that call. */
  readonly answer: AnswerMcp;
  /** The same with the tools of a ChatGPT connector alone, under a path of its own; optional. */
  readonly connector?: AnswerMcp;
  /** Both for those who see no private pages. */
  readonly forPublic?: { readonly answer: AnswerMcp; readonly connector: AnswerMcp };
}

type AnswerMcp = (
  request: Request,
  admit?: (routeClass: RouteClass, tokens?: number) => Promise<Admitted>,
) => Promise<Response>;

interface McpRouteParts {
  readonly rateLimit?: RateLimit | undefined;
  readonly allowedHosts?: AllowedHosts | undefined;
  readonly seesPrivatePages?: (c: Context<HttpEnv>) => boolean;
}

const mcpPath = '/mcp';
const connectorPath = '/mcp/connector';
const methods = 'POST, OPTIONS';
/** Headers that clients in web pages send besides those of the API. */
const headers =
  'Accept, Content-Type, Last-Event-ID, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id';

/** Mounts MCP under `/mcp`, and a connector's under `/mcp/connector`. GET and DELETE are refused: the server opens no stream by itself and keeps no session. */
export function mountMcp(app: Hono<HttpEnv>, options: McpRouteOptions, parts: McpRouteParts = {}): void {
  const { origins, answer, connector, forPublic } = options;
  const { seesPrivatePages = () => true } = parts;
  const choose = (all: AnswerMcp, open: AnswerMcp | undefined) => (c: Context<HttpEnv>) =>
    seesPrivatePages(c) ? all : (open ?? all);
  mountAt(app, mcpPath, choose(answer, forPublic?.answer), { ...parts, origins });
  if (connector) mountAt(app, connectorPath, choose(connector, forPublic?.connector), { ...parts, origins });
}

function mountAt(
  app: Hono<HttpEnv>,
  path: string,
  answerOf: (c: Context<HttpEnv>) => AnswerMcp,
  { origins, rateLimit, allowedHosts }: McpRouteParts & Pick<McpRouteOptions, 'origins'>,
): void {
  if (allowedHosts) app.use(path, mcpHostCheck(allowedHosts));
  app.use(path, originCheck(origins));
  app.options(path, (c) => optionsAnswer(c, methods, headers));
  app.post(path, (c) => {
    const answer = answerOf(c);
    if (!rateLimit) return answer(c.req.raw);
    const { checkKey, admit } = rateLimit.calls;
    checkKey(c);
    return answer(c.req.raw, (routeClass, tokens) => admit(c, routeClass, tokens));
  });
  app.all(path, (c) => {
    c.header('Allow', methods);
    const message = `${c.req.method} is not possible here: MCP messages are sent by POST`;
    return sendProblem(c, new ServiceError('method_not_allowed', message));
  });
}
