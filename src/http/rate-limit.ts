import type { Context, MiddlewareHandler } from 'hono';
import { ServiceError } from '../contract/errors.ts';
import type { AdmissionControl, Admitted } from '../limits/admission.ts';
import { admissionError } from '../limits/admission-error.ts';
import { isKey } from '../limits/api-keys.ts';
import type { Caller, ClientIdentity, RequestOrigin } from '../limits/client-identity.ts';
import type { AdmissionRefusal, Client, RouteClass } from '../limits/client-limits.ts';
import type { HttpEnv } from './http-env.ts';
import type { Sessions } from './security/sessions.ts';

export interface RateLimitOptions {
  readonly control: AdmissionControl;
  readonly clientIdentity: ClientIdentity;
  /** Where clients read how to get an access token, and the scope that it needs; see `metadataUrl`. */
  readonly challenge?: { readonly metadataUrl: string; readonly scope: string } | undefined;
  /** Of browsers, whose requests then count as those of a key; without it there are none. */
  readonly sessions?: Sessions | undefined;
  /** Called for every rejected request. */
  readonly onRefused?: (why: RefusalReason) => void;
}

export type RefusalReason = 'rate' | 'in_flight' | 'overloaded' | 'unauthorized';

type HttpContext = Context<HttpEnv>;
type Middleware = MiddlewareHandler<HttpEnv>;

/** Admission control as middleware. */
export interface RateLimit {
  /** For every route: identifies the client, and adds the `X-RateLimit-*` headers for holders of a key. */
  readonly identify: Middleware;
  /**
   * For the routes of a class: lets a request through once the client's limits and the admission queue allow it.
   * `tokensOf` gives the price of a request before any work is done; one token by default.
   */
  limit(routeClass: RouteClass, tokensOf?: (c: HttpContext) => number): Middleware;
  /** The same within a handler, for a price that only the body of the request tells. */
  run<Result>(
    c: HttpContext,
    routeClass: RouteClass,
    tokens: number,
    work: () => Promise<Result>,
  ): Promise<Result>;
  /** For clients that send `Authorization: Bearer ` with no key where none is set: counts it as a request without a key. */
  readonly takeEmptyKey: Middleware;
  /** For a service of key holders: refuses everyone else on all paths but these. */
  requireKey(isOpen: (path: string) => boolean): Middleware;
  /** How a person shows a key once; undefined without sessions. */
  readonly keySessions: KeySessions | undefined;
  /** For a route whose requests carry any number of calls: the calls are counted, the requests are not. */
  readonly calls: LimitedCalls;
}

/** Sessions of the holders of keys. */
export interface KeySessions {
  /** Whether the request has a session whose key is valid. */
  isOpen(c: HttpContext): boolean;
  /** Begins a session if the text is a valid key; whether it is. */
  enter(c: HttpContext, key: string): Promise<boolean>;
  leave(c: HttpContext): void;
}

/** The errors are those of `RateLimit`. */
export interface LimitedCalls {
  /** Lets a request through unless it shows an invalid key. */
  checkKey(c: HttpContext): void;
  /** Counts one call of this request. */
  admit(c: HttpContext, routeClass: RouteClass, tokens?: number): Promise<Admitted>;
}

/** Throws `ServiceError`s: 401 for an invalid key, 429 for a client over its limit, 503 for an overloaded service. */
export function createRateLimit(options: RateLimitOptions): RateLimit {
  const { control, clientIdentity, challenge, sessions, onRefused = () => {} } = options;

  const refuse = (why: RefusalReason, error: ServiceError): never => {
    onRefused(why);
    throw error;
  };

  /** The client that a request would be of that showed this key. */
  const clientWith = (c: HttpContext, key: string): Caller | Promise<Caller> => {
    const { remoteAddress, header } = originOf(c);
    return clientIdentity.client({
      remoteAddress,
      header: (name) => (name === 'x-api-key' ? key : name === 'authorization' ? undefined : header(name)),
    });
  };

  const callerOf = async (c: HttpContext): Promise<Caller> => {
    const { header } = originOf(c);
    const showsKey = (header('authorization') ?? header('x-api-key')) !== undefined;
    const mayHaveSession = !showsKey && (c.req.method === 'GET' || c.req.method === 'HEAD');
    const key = mayHaveSession ? sessions?.keyOf(c) : undefined;
    if (key !== undefined) {
      const caller = await clientWith(c, key);
      // A key that was revoked meanwhile ends what it opened.
      if (caller.kind === 'key') return caller;
    }
    return clientIdentity.client(originOf(c));
  };

  const clientOf = (c: HttpContext): Client => {
    const caller = c.get('caller');
    if (caller.kind !== 'refused') return caller;
    c.header('WWW-Authenticate', challengeOf(caller, challenge));
    const code = caller.lacksScope ? 'forbidden' : 'unauthorized';
    return refuse('unauthorized', new ServiceError(code, `${caller.why}: ${caller.advice ?? withoutKey}`));
  };

  const admit = async (c: HttpContext, routeClass: RouteClass, tokens?: number): Promise<Admitted> => {
    const client = clientOf(c);
    const admission = await control.admit(client, routeClass, tokens);
    if (admission.kind === 'admitted') return admission;
    return refuse(reasonOf(admission), admissionError(admission, client.kind));
  };

  const run = async <Result>(
    c: HttpContext,
    routeClass: RouteClass,
    tokens: number | undefined,
    work: () => Promise<Result>,
  ): Promise<Result> => {
    const admission = await admit(c, routeClass, tokens);
    c.set('admission', admission);
    const releaseNow = releaseWhenSent(c, admission);
    try {
      return await admission.run(async () => {
        // A client that left the queue gets no work done.
        c.req.raw.signal.throwIfAborted();
        return work();
      });
    } catch (reason) {
      // A client that disconnects aborts with a string, which Hono does not accept as an error.
      throw reason instanceof Error ? reason : new Error(String(reason));
    } finally {
      releaseNow();
    }
  };

  return {
    calls: { checkKey: (c) => void clientOf(c), admit },
    keySessions: sessions && {
      isOpen: (c) => sessions.keyOf(c) !== undefined && c.get('caller').kind === 'key',
      enter: async (c, key) => {
        if (!isKey(key) || (await clientWith(c, key)).kind !== 'key') return false;
        sessions.begin(c, key);
        return true;
      },
      leave: sessions.end,
    },
    run,
    identify: async (c, next) => {
      const caller = await callerOf(c);
      c.set('caller', caller);
      await next();
      const quota = caller.kind === 'refused' ? undefined : await control.quota(caller);
      if (quota === undefined) return;
      c.res.headers.set('X-RateLimit-Limit', String(quota.limit));
      c.res.headers.set('X-RateLimit-Remaining', String(quota.remaining));
      c.res.headers.set('X-RateLimit-Reset', String(Math.ceil(quota.secondsUntilFull)));
    },
    takeEmptyKey: async (c, next) => {
      const { header, remoteAddress } = originOf(c);
      if (/^bearer$/i.test(header('authorization')?.trim() ?? '')) {
        const withoutIt = (name: string) => (name === 'authorization' ? undefined : header(name));
        c.set('caller', await clientIdentity.client({ remoteAddress, header: withoutIt }));
      }
      await next();
    },
    requireKey: (isOpen) => async (c, next) => {
      // A CORS preflight has no credentials.
      if (c.req.method === 'OPTIONS' || isOpen(c.req.path)) return next();
      clientOf(c);
      await next();
    },
    limit: (routeClass, tokensOf) => async (c, next) => {
      // A CORS preflight is free of charge.
      if (c.req.method === 'OPTIONS') return next();
      await run(c, routeClass, tokensOf?.(c), next);
    },
  };
}

/** RFC 6750, section 3, with the parameters of RFC 9728: a request without a key gets no error code. */
function challengeOf(
  { isMissing, lacksScope }: Extract<Caller, { kind: 'refused' }>,
  challenge: RateLimitOptions['challenge'],
): string {
  const error = lacksScope ? 'insufficient_scope' : 'invalid_token';
  return [
    'Bearer realm="gleaner"',
    ...(isMissing ? [] : [`error="${error}"`]),
    ...(challenge ? [`scope="${challenge.scope}"`, `resource_metadata="${challenge.metadataUrl}"`] : []),
  ].join(', ');
}

const withoutKey = 'ask the operator for another, or leave the key out to use the public tier';

/** Whether external providers may be queried for this request; always true on routes without a limit. */
export function mayAskExternal(c: HttpContext): boolean | Promise<boolean> {
  return c.get('admission')?.mayAskExternal() ?? true;
}

/** Where a request came from: its connection and its headers. */
export function originOf(c: HttpContext): RequestOrigin {
  const { incoming } = c.env ?? {};
  return { remoteAddress: incoming?.socket?.remoteAddress, header: (name) => c.req.header(name) };
}

/**
 * Releases the admission once the response is sent or the client has disconnected. Returns a function that releases it
 * at once where there is no connection to wait for, and does nothing otherwise.
 */
function releaseWhenSent(c: HttpContext, { release }: Admitted): () => void {
  const { outgoing } = c.env ?? {};
  if (outgoing === undefined || outgoing.closed) return release;
  outgoing.once('close', release);
  return () => {};
}

function reasonOf(admission: AdmissionRefusal): RefusalReason {
  return admission.kind === 'limited' ? admission.why : 'overloaded';
}
