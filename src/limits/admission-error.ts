import { ServiceError } from '../contract/errors.ts';
import type { AdmissionRefusal, Client } from './client-limits.ts';

/** The error of a rejected request: `rate_limited` or `unavailable`, with the time to wait. */
export function admissionError(admission: AdmissionRefusal, tier: Client['kind']): ServiceError {
  const { retryAfterSeconds } = admission;
  const seconds = Math.max(1, Math.ceil(retryAfterSeconds));
  const wait = `try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
  if (admission.kind === 'overloaded')
    return new ServiceError('unavailable', `the service has too much to do: ${wait}`, { retryAfterSeconds });
  const whose = tier === 'key' ? 'this API key' : 'your address';
  const message =
    admission.why === 'rate'
      ? `${whose} has used up its share of requests: ${wait}`
      : `${whose} has too many requests under way: wait for their answers, then ${wait}`;
  return new ServiceError('rate_limited', message, { retryAfterSeconds });
}
