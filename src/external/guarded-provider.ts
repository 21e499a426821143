import { abortable } from '../async/abortable.ts';
import { createCircuitBreaker, type Permit } from '../limits/circuit-breaker.ts';
import { createThrottle, RateExceeded } from '../limits/throttle.ts';
import type { Clock } from '../runtime.ts';
import {
  type FailureKind,
  type ProviderAnswer,
  ProviderError,
  type ProviderRequest,
  type ProviderState,
  type SearchProvider,
} from './search-provider.ts';

/** The result of one search: what happened, with the answer when there is one. */
export interface ProviderOutcome {
  readonly state: ProviderState;
  readonly answer?: ProviderAnswer;
}

/** One search over all providers. */
export interface SearchAttempt {
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  /** Whether the signal was aborted by the caller or by `close`, and not by the deadline. */
  readonly isCancelled: () => boolean;
}

export interface GuardedProvider {
  readonly provider: SearchProvider;
  /** Never rejects. */
  search(request: ProviderRequest, attempt: SearchAttempt): Promise<ProviderOutcome>;
}

/** Rest after a failure that needs a person to fix it. */
const restSecondsAfter: Readonly<Partial<Record<FailureKind, number>>> = {
  unauthorized: 300,
  forbidden: 300,
};
/** Rest after "too many requests" without a time. */
const defaultLimitedSeconds = 30;

type RestReason = Extract<ProviderState, { kind: 'resting' }>['why'];

const restMessages: Readonly<Record<RestReason, string>> = {
  failures: 'failed before and is left alone',
  'asked for a pause': 'asked for a pause',
  rate: 'has been asked as often as it allows',
};

/** Puts a provider behind a throttle with its published rate and behind a circuit breaker. */
export function guardProvider(provider: SearchProvider, now: Clock): GuardedProvider {
  const throttle = createThrottle({ ...provider.rate, now });
  const breaker = createCircuitBreaker({ now });
  let hasAskedForPause = false;

  const settle = (answer: ProviderAnswer, tookMs: number): ProviderOutcome => {
    breaker.succeeded();
    hasAskedForPause = answer.pauseSeconds > 0;
    if (hasAskedForPause) breaker.rest(answer.pauseSeconds);
    if (answer.missing !== undefined)
      return { state: { kind: 'partial', message: answer.missing, tookMs }, answer };
    return answer.results.length > 0
      ? { state: { kind: 'ok', tookMs }, answer }
      : { state: { kind: 'empty', tookMs } };
  };

  const fail = (error: ProviderError, tookMs: number): ProviderOutcome => {
    const { kind: why, message, retryAfterSeconds } = error;
    const restSeconds = restSecondsOf(error);
    hasAskedForPause = why === 'limited' || retryAfterSeconds !== undefined;
    // "Too many requests" proves that the provider works.
    if (why === 'limited') {
      breaker.succeeded();
      breaker.rest(restSeconds ?? defaultLimitedSeconds);
    } else if (why === 'incomplete') {
      // The provider works. What it could not search may matter for this query only.
      breaker.succeeded();
    } else breaker.failed(restSeconds);
    const retry = restSeconds !== undefined && { retryAfterSeconds: restSeconds };
    return { state: { kind: 'failed', why, message, tookMs, ...retry } };
  };

  const resting = (why: RestReason, seconds: number): ProviderOutcome => {
    const retryAfterSeconds = Math.max(1, Math.ceil(seconds));
    const message = `${provider.title} ${restMessages[why]}; it is asked again in ${retryAfterSeconds} s`;
    return { state: { kind: 'resting', why, message, retryAfterSeconds } };
  };

  /** Any other error than a `ProviderError` may hold a key, so only its name is shown. */
  const toProviderError = (error: unknown, { signal, deadlineMs }: SearchAttempt): ProviderError => {
    if (error instanceof ProviderError) return error;
    if (signal.aborted) {
      return new ProviderError('timeout', `${provider.title} did not answer within ${deadlineMs} ms`);
    }
    const name = error instanceof Error ? error.name : typeof error;
    return new ProviderError('malformed', `the answer of ${provider.title} could not be read (${name})`);
  };

  const search = async (request: ProviderRequest, attempt: SearchAttempt): Promise<ProviderOutcome> => {
    const { signal, deadlineMs } = attempt;
    const startedAt = performance.now();
    const tookMs = () => Math.round(performance.now() - startedAt);
    let permit: Permit | undefined;
    let isSent = false;
    const send = async (): Promise<ProviderAnswer> => {
      isSent = true;
      return provider.search(request, signal);
    };
    try {
      const unfitReason = provider.unfit(request);
      if (unfitReason !== undefined) return { state: { kind: 'unfit', message: unfitReason } };
      permit = breaker.tryAcquire();
      if (permit.kind === 'open')
        return resting(hasAskedForPause ? 'asked for a pause' : 'failures', permit.seconds);
      // A request that starts after half of the deadline has too little time left for an answer.
      const maxWaitSeconds = deadlineMs / 2000;
      return settle(await abortable(throttle.run(send, { signal, maxWaitSeconds }), signal), tookMs());
    } catch (error) {
      const failure = toProviderError(error, attempt);
      if (attempt.isCancelled() || (permit && !isSent)) {
        breaker.abandoned();
        return resting('rate', error instanceof RateExceeded ? error.retryAfterSeconds : 1);
      }
      return fail(failure, tookMs());
    }
  };

  return { provider, search };
}

function restSecondsOf({ kind, retryAfterSeconds }: ProviderError): number | undefined {
  if (kind !== 'limited') return retryAfterSeconds ?? restSecondsAfter[kind];
  // "Too many requests, retry after 0 seconds" would never let the provider rest.
  return Math.max(1, retryAfterSeconds ?? defaultLimitedSeconds);
}
