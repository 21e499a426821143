import type { Clock } from '../runtime.ts';

export interface CircuitBreakerOptions {
  /** Consecutive failures that open the breaker. */
  readonly failureThreshold?: number;
  /** How long it stays open the first time; doubled after each failed probe. */
  readonly initialRestSeconds?: number;
  readonly maxRestSeconds?: number;
  readonly now?: Clock;
}

/** `probe` (half-open): the rest is over, and exactly one request tests whether the service works again. */
export type Permit =
  | { readonly kind: 'closed' | 'probe' }
  | { readonly kind: 'open'; readonly seconds: number };

/** Every permit but `open` must be ended by `succeeded`, `failed` or `abandoned`. */
export interface CircuitBreaker {
  tryAcquire(): Permit;
  succeeded(): void;
  /** `restSeconds`: opens at once, for at least this time. */
  failed(restSeconds?: number): void;
  /** The request was cancelled by us, which says nothing about the service. */
  abandoned(): void;
  /** Opens without a failure: the service requested a pause. */
  rest(seconds: number): void;
}

/** Retry time for other requests while a probe runs. */
const probeSeconds = 1;
/** Also bounds the wait when the clock is set back. */
const maxPauseSeconds = 86_400;

/** Stops requests to a service that keeps failing, and lets single probes detect when it works again. */
export function createCircuitBreaker(options: CircuitBreakerOptions = {}): CircuitBreaker {
  const { failureThreshold = 4, initialRestSeconds = 15, maxRestSeconds = 600, now = Date.now } = options;
  let failuresInARow = 0;
  let restSeconds = initialRestSeconds;
  let openUntil = 0;
  /** Opened by failures: after the rest a probe decides. A requested pause needs no probe. */
  let isTripped = false;
  let isProbing = false;

  const openFor = (seconds: number): void => {
    openUntil = Math.max(openUntil, now() + Math.min(seconds, maxPauseSeconds) * 1000);
  };

  const trip = (): void => {
    isTripped = true;
    openFor(restSeconds);
    restSeconds = Math.min(restSeconds * 2, maxRestSeconds);
  };

  return {
    tryAcquire() {
      const remaining = Math.min((openUntil - now()) / 1000, maxPauseSeconds);
      if (remaining > 0) return { kind: 'open', seconds: remaining };
      if (!isTripped) return { kind: 'closed' };
      if (isProbing) return { kind: 'open', seconds: probeSeconds };
      isProbing = true;
      return { kind: 'probe' };
    },
    succeeded() {
      failuresInARow = 0;
      restSeconds = initialRestSeconds;
      isTripped = false;
      isProbing = false;
    },
    failed(atLeastSeconds) {
      failuresInARow++;
      const wasProbe = isProbing;
      isProbing = false;
      if (atLeastSeconds !== undefined) openFor(atLeastSeconds);
      if (wasProbe || failuresInARow === failureThreshold) trip();
    },
    abandoned() {
      isProbing = false;
    },
    rest: openFor,
  };
}
