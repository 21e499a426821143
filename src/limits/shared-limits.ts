import {
  type AdmissionRefusal,
  type BucketCounts,
  type Client,
  type ClientLimitOptions,
  createClientLimits,
  type KeyQuota,
  type StartRequest,
} from './client-limits.ts';

/** What a process asks the one that has the limits of all. Ids are the asking process's own. */
export type LimitRequest =
  | ({ readonly kind: 'start'; readonly id: number } & StartRequest)
  /** The work of a request is done; its answer may still be on the way. */
  | { readonly kind: 'leave'; readonly id: number }
  | { readonly kind: 'end'; readonly id: number }
  /** The reply to a start came too late, or not at all: as if it had not been asked for. */
  | { readonly kind: 'undo'; readonly id: number }
  | { readonly kind: 'external'; readonly client: Client }
  | { readonly kind: 'quota'; readonly client: Client };

/** To a start: null for an admitted request. To `external`: a boolean. To `quota`: a quota or null. */
export type LimitReply = AdmissionRefusal | KeyQuota | boolean | null;

/** The limits as one of several processes asks for them. */
export interface LimitsSession {
  /** The replies in the order of the requests. */
  answer(requests: readonly LimitRequest[]): LimitReply[];
  /** Ends all requests of a process that has died. */
  close(): void;
}

export interface SharedLimits {
  openSession(): LimitsSession;
  bucketCounts(): BucketCounts;
}

interface SharedLimitOptions extends ClientLimitOptions {
  /** Maximum requests that run or wait, of all clients in all processes. */
  readonly maxInFlight: number;
}

/** The limits of every client, and of all clients together, for several processes. */
export function createSharedLimits(options: SharedLimitOptions): SharedLimits {
  const limits = createClientLimits(options);
  let underWay = 0;

  const openSession = (): LimitsSession => {
    const started = new Map<number, { readonly request: StartRequest; isWorking: boolean }>();

    const leave = (id: number): void => {
      const entry = started.get(id);
      if (!entry?.isWorking) return;
      entry.isWorking = false;
      underWay -= 1;
    };

    const end = (id: number): void => {
      leave(id);
      const entry = started.get(id);
      if (entry && started.delete(id)) limits.end(entry.request.client);
    };

    const answerOne = (request: LimitRequest): LimitReply => {
      switch (request.kind) {
        case 'start': {
          const isOverloaded = request.isOverloaded || underWay >= options.maxInFlight;
          const refusal = limits.start({ ...request, isOverloaded });
          if (refusal) return refusal;
          underWay += 1;
          started.set(request.id, { request, isWorking: true });
          return null;
        }
        case 'leave':
          leave(request.id);
          return null;
        case 'end':
          end(request.id);
          return null;
        case 'undo': {
          const entry = started.get(request.id);
          if (entry) limits.giveBack(entry.request);
          end(request.id);
          return null;
        }
        case 'external':
          return limits.takeExternal(request.client);
        case 'quota':
          return limits.quota(request.client) ?? null;
      }
    };

    return {
      answer: (requests) => requests.map(answerOne),
      close: () => {
        for (const id of started.keys()) end(id);
      },
    };
  };

  return { openSession, bucketCounts: limits.bucketCounts };
}
