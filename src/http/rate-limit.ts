import type { Context, MiddlewareHandler } from 'hono';
import { ServiceError } from '../contract/errors.ts';
import type { AdmissionControl, Admitted } from '../limits/admission.ts';
import { admissionError } from '../limits/admission-error.ts';
import type { ClientIdentity, RequestOrigin } from '../limits/client-identity.ts';
import type { AdmissionRefusal, Client, RouteClass } from '../limits/client-limits.ts';
import type { HttpEnv } from './http-env.ts';

export interface RateLimitOptions {
  readonly control: AdmissionControl;
  readonly clientIdentity: ClientIdentity;
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
  /** For a route whose requests carry any number of calls: the calls are counted, the requests are not. */
  readonly calls: LimitedCalls;
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
  const { control, clientIdentity, onRefused = () => {} } = options;

  const refuse = (why: RefusalReason, error: ServiceError): never => {
    onRefused(why);
    throw error;
  };

  const clientOf = (c: HttpContext): Client => {
    const caller = c.get('caller');
    if (caller.kind !== 'refused') return caller;
    c.header('WWW-Authenticate', `Bearer realm="gleaner", error="invalid_token"`);
    return refuse(
      'unauthorized',
      new ServiceError('unauthorized', `${caller.why}: ${caller.advice ?? withoutKey}`),
    );
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
    run,
    identify: async (c, next) => {
      const caller = clientIdentity.client(originOf(c));
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
        c.set('caller', clientIdentity.client({ remoteAddress, header: withoutIt }));
      }
      await next();
    },
    limit: (routeClass, tokensOf) => async (c, next) => {
      // A CORS preflight is free of charge.
      if (c.req.method === 'OPTIONS') return next();
      await run(c, routeClass, tokensOf?.(c), next);
    },
  };
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
