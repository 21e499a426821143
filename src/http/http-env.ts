import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from 'hono';
import type { Engine } from '../engine/engine.ts';
import type { Admitted } from '../limits/admission.ts';
import type { Caller } from '../limits/client-identity.ts';

/** The engine for a client: with private pages, or without. */
export type EngineOf = (c: Context<HttpEnv>) => Engine;

/** What our middleware stores in Hono's context, and what Node's server passes along with a request. */
export interface HttpEnv {
  Variables: {
    requestId: string;
    /** Set by `RateLimit.identify`. */
    caller: Caller;
    /** Set by `RateLimit.limit`; undefined on routes without a limit. */
    admission: Admitted | undefined;
  };
  /** Both are undefined for a request without a server, as in tests. */
  Bindings: { incoming?: IncomingMessage; outgoing?: ServerResponse };
}
