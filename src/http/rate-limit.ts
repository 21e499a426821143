import type { ServerResponse } from 'node:http';
import type { Context, MiddlewareHandler } from 'hono';
import { ServiceError } from '../contract/errors.ts';
import type { Admission, AdmissionControl, Admitted, Client, RouteClass } from '../limits/admission.ts';
import { admissionError } from '../limits/admission-error.ts';
import type { Caller, ClientIdentity, RequestOrigin } from '../limits/client-identity.ts';

export interface HttpFairUseOptions {
  readonly fairUse: AdmissionControl;
  readonly whoAsks: ClientIdentity;
  /** Told of every request that was turned away. */
  readonly onRefused?: (why: RefusalReason) => void;
}

export type RefusalReason = 'rate' | 'in_flight' | 'overloaded' | 'unauthorized';

/** Fair use as middleware. */
export interface HttpFairUse {
  /** For every route: finds out who asks, and tells holders of a key what they have left. */
  readonly identify: MiddlewareHandler;
  /**
   * For the routes of a class: lets a request through when its client may ask, and when its turn has come. `tokensOf`
   * says what a request costs before anything is done for it; one token where it is not given.
   */
  counted(routeClass: RouteClass, tokensOf?: (c: Context) => number): MiddlewareHandler;
  /** For a route whose requests hold any number of calls, that are counted and not they. */
  readonly calls: CountedCalls;
}

/** Both throw what `HttpFairUse` does. */
export interface CountedCalls {
  /** Lets a request through whose key, if it shows one, is good. */
  checkKey(c: Context): void;
  /** Counts a call of this request. */
  admit(c: Context, routeClass: RouteClass, tokens?: number): Admitted;
}

/** Throws `ServiceError`s: 401 for a bad key, 429 for a client past its share, 503 for more than can be done. */
export function createHttpFairUse(options: HttpFairUseOptions): HttpFairUse {
  const { fairUse, whoAsks, onRefused = () => {} } = options;

  const refuse = (why: RefusalReason, error: ServiceError): never => {
    onRefused(why);
    throw error;
  };

  const callerOf = (c: Context): Client => {
    const caller = c.get('caller') as Caller;
    if (caller.kind !== 'refused') return caller;
    c.header('WWW-Authenticate', `Bearer realm="gleaner", error="invalid_token"`);
    return refuse(
      'unauthorized',
      new ServiceError('unauthorized', `${caller.why}: ${caller.advice ?? withoutKey}`),
    );
  };

  const admit = (c: Context, routeClass: RouteClass, tokens?: number): Admitted => {
    const caller = callerOf(c);
    const admission = fairUse.admit(caller, routeClass, tokens);
    if (admission.kind === 'admitted') return admission;
    return refuse(reasonOf(admission), admissionError(admission, caller.kind));
  };

  return {
    calls: { checkKey: (c) => void callerOf(c), admit },
    identify: async (c, next) => {
      const caller = whoAsks.client(sourceOf(c));
      c.set('caller', caller);
      await next();
      const quota = caller.kind === 'refused' ? undefined : fairUse.quota(caller);
      if (quota === undefined) return;
      c.res.headers.set('X-RateLimit-Limit', String(quota.limit));
      c.res.headers.set('X-RateLimit-Remaining', String(quota.remaining));
      c.res.headers.set('X-RateLimit-Reset', String(Math.ceil(quota.secondsUntilFull)));
    },
    counted: (routeClass, tokensOf) => async (c, next) => {
      // A browser's question whether it may ask is not yet asking.
      if (c.req.method === 'OPTIONS') return next();
      const admission = admit(c, routeClass, tokensOf?.(c));
      c.set('admission', admission);
      const done = releaseWhenSent(c, admission);
      try {
        await admission.run(async () => {
          // Whoever went away while waiting gets no work done.
          c.req.raw.signal.throwIfAborted();
          await next();
        });
      } catch (reason) {
        // A client that goes away aborts with a string, which Hono does not take for an error to answer.
        throw reason instanceof Error ? reason : new Error(String(reason));
      } finally {
        done();
      }
    },
  };
}

const withoutKey = 'ask the operator for another, or leave the key out to use the public tier';

/** Whether other services may be asked for the answer to this request; where nothing is counted they always may. */
export function mayAskExternal(c: Context): boolean {
  return (c.get('admission') as Admitted | undefined)?.mayAskExternal() ?? true;
}

/** Where a request came from, as node's server and its headers have it. */
export function sourceOf(c: Context): RequestOrigin {
  const { incoming } = (c.env ?? {}) as { incoming?: { socket?: { remoteAddress?: string } } };
  return { remoteAddress: incoming?.socket?.remoteAddress, header: (name) => c.req.header(name) };
}

/**
 * Takes the request off the client's account once the answer is sent or the client is gone; returns what does so where
 * there is no connection to wait for.
 */
function releaseWhenSent(c: Context, { release }: Admitted): () => void {
  const { outgoing } = (c.env ?? {}) as { outgoing?: ServerResponse };
  if (outgoing === undefined || outgoing.closed) return release;
  outgoing.once('close', release);
  return () => {};
}

function reasonOf(admission: Exclude<Admission, Admitted>): RefusalReason {
  return admission.kind === 'limited' ? admission.why : 'overloaded';
}
