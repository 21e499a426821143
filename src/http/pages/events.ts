import type { Context, Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { ServiceError } from '../../contract/errors.ts';
import type { HttpEnv } from '../http-env.ts';

/** The state is compared this often while a client is connected. */
const lookMs = 1000;
/** A line without a meaning keeps proxies from ending a quiet stream. */
const pingEveryLooks = 15;
/** A stream ends after this time. Browsers reconnect automatically. */
const maxLooks = 600;
/** Streams at a time under one path, each of which is a connection. */
const maxStreams = 32;

export interface EventsOptions {
  /** What is watched, as one line. It is called once a second for each who watches. */
  readonly state: (c: Context<HttpEnv>) => string;
  /** Throws for those who may not watch. */
  readonly mayWatch?: (c: Context<HttpEnv>) => void;
  /** Whether the service is about to end, which would wait for its streams. */
  readonly isStopping: () => boolean;
}

/**
 * Mounts a stream of Server-Sent Events (HTML Living Standard, section 9.2): an event `state` at first, and one whenever it
 * has changed.
 */
export function mountEvents(
  app: Hono<HttpEnv>,
  path: string,
  { state, mayWatch = () => {}, isStopping }: EventsOptions,
): void {
  let open = 0;
  app.get(path, (c) => {
    mayWatch(c);
    if (open >= maxStreams)
      throw new ServiceError(
        'unavailable',
        `at most ${maxStreams} watch at a time: reload the page instead`,
        {
          retryAfterSeconds: 30,
        },
      );
    c.header('Cache-Control', 'no-store');
    // For nginx, which would hold events back.
    c.header('X-Accel-Buffering', 'no');
    open += 1;
    return streamSSE(c, async (stream) => {
      try {
        let last: string | undefined;
        for (let look = 0; look < maxLooks && !isStopping() && !stream.aborted && !stream.closed; look++) {
          const now = state(c);
          if (now !== last) await stream.writeSSE({ event: 'state', data: now });
          else if (look % pingEveryLooks === 0) await stream.write(':\n\n');
          last = now;
          await stream.sleep(lookMs);
        }
      } finally {
        open -= 1;
      }
    });
  });
}
