import { type AdmissionControl, maxWaitMs } from './admission.ts';
import { createAdmissionQueue } from './admission-queue.ts';
import { type AdmissionRefusal, type Client, type KeyQuota, overloaded } from './client-limits.ts';
import type { LimitReply, LimitRequest } from './shared-limits.ts';

interface SharedAdmissionOptions {
  /** Sends requests to the process that has the limits. Rejects when no reply comes in time. */
  readonly ask: (requests: readonly LimitRequest[]) => Promise<readonly LimitReply[]>;
  /** Maximum requests in flight of all clients. */
  readonly maxInFlight: number;
  readonly later?: (callback: () => void) => void;
}

/** A key sends its id and rate alone: the rest of its record stays in this process. */
function clientForOthers(client: Client): Client {
  if (client.kind === 'address') return client;
  const { id, rate } = client.key;
  return { kind: 'key', key: { id, rate } };
}

/**
 * Admission control of one process among several: another one has the limits of clients, and this one has a queue for its own
 * event loop. What is asked in one turn of the event loop goes as one message. Without a reply in time, a request is
 * refused as `overloaded`, an answer stays local, and a quota is left out.
 */
export function createSharedAdmission(options: SharedAdmissionOptions): AdmissionControl {
  const { ask, maxInFlight, later = setImmediate } = options;
  const queue = createAdmissionQueue({ maxInFlight, maxWaitMs });
  const unsent: { readonly request: LimitRequest; readonly settle: (reply: Reply) => void }[] = [];
  let lastId = 0;

  const send = async (): Promise<void> => {
    const batch = unsent.splice(0);
    const replies = await ask(batch.map(({ request }) => request)).catch(() => undefined);
    for (const [index, { settle }] of batch.entries()) settle(replies?.[index]);
  };

  const reply = (request: LimitRequest): Promise<Reply> =>
    new Promise((settle) => {
      unsent.push({ request, settle });
      if (unsent.length === 1) later(() => void send());
    });

  const admission = (client: Client, id: number) => {
    let isEnded = false;
    return {
      kind: 'admitted' as const,
      run: async <Result>(work: () => Promise<Result>): Promise<Result> => {
        const leave = await queue.enter();
        try {
          return await work();
        } finally {
          leave();
          if (!isEnded) void reply({ kind: 'leave', id });
        }
      },
      mayAskExternal: async () => (await reply({ kind: 'external', client })) === true,
      release: () => {
        if (!isEnded) void reply({ kind: 'end', id });
        isEnded = true;
      },
    };
  };

  return {
    admit: async (asking, routeClass, tokens) => {
      const client = clientForOthers(asking);
      const id = ++lastId;
      const isOverloaded = queue.isFull();
      const decision = await reply({ kind: 'start', id, client, routeClass, tokens, isOverloaded });
      if (decision === null) return admission(client, id);
      if (decision !== undefined) return decision as AdmissionRefusal;
      // The request may have been started after all: a refusal costs no token.
      void reply({ kind: 'undo', id });
      return overloaded;
    },
    quota: async (client) => {
      if (client.kind === 'address') return undefined;
      return ((await reply({ kind: 'quota', client: clientForOthers(client) })) ?? undefined) as
        | KeyQuota
        | undefined;
    },
    stats: () => ({ ...queue.stats(), clients: {} }),
  };
}

/** Undefined when none came in time. */
type Reply = LimitReply | undefined;
