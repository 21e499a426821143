import type { Admitted } from '../limits/admission.ts';
import type { RouteClass } from '../limits/client-limits.ts';
import type { ProgressOptions } from './progress.ts';

/**
 * Admits a call of this class at a price of `tokens` (1 by default), or rejects with the `ServiceError` for its client.
 */
export type Admit = (routeClass: RouteClass, tokens?: number) => Promise<Admitted>;

/** What a request brings along besides its parameters. */
export interface RequestContext {
  readonly signal: AbortSignal;
  /** Limits of this client; without it every call is admitted. */
  readonly admit?: Admit | undefined;
  /** Only when the client sent a progress token. */
  readonly sendProgress?: ProgressOptions['send'] | undefined;
}
