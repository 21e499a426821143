import type { Clock } from '../runtime.ts';

export interface CircuitBreakerOptions {
  /** Failures in a row that open it. */
  readonly failureThreshold?: number;
  /** How long it stays open the first time; twice as long after each probe that fails. */
  readonly initialRestSeconds?: number;
  readonly maxRestSeconds?: number;
  readonly now?: Clock;
}

/** `probe`: the rest is over and one request may show whether all is well again; exactly one is let through. */
export type Permit =
  | { readonly kind: 'closed' | 'probe' }
  | { readonly kind: 'open'; readonly seconds: number };

/** Every passage that is not `open` has to be ended by one of the other three. */
export interface CircuitBreaker {
  tryAcquire(): Permit;
  succeeded(): void;
  /** `restSeconds`: open at once, for at least so long. */
  failed(restSeconds?: number): void;
  /** The request was given up for reasons of our own, which tell nothing. */
  abandoned(): void;
  /** Opens for so long without a failure: the other side asked for a pause. */
  rest(seconds: number): void;
}

/** While a probe is under way, others are told to come again after this. */
const probeSeconds = 1;
/** A clock that is set back by a day must not close the way for a day. */
const maxPauseSeconds = 86_400;

/** Leaves a service alone that keeps failing, and lets single requests find out when it is back. */
export function createCircuitBreaker(options: CircuitBreakerOptions = {}): CircuitBreaker {
  const { failureThreshold = 4, initialRestSeconds = 15, maxRestSeconds = 600, now = Date.now } = options;
  let failuresInARow = 0;
  let restSeconds = initialRestSeconds;
  let openUntil = 0;
  /** Open for failures: after the rest a probe decides. A pause that was asked for ends by itself. */
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
      const left = Math.min((openUntil - now()) / 1000, maxPauseSeconds);
      if (left > 0) return { kind: 'open', seconds: left };
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
