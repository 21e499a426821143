/** What a client is told of a call that takes its time. */
export interface Progress {
  /** Says what the call is doing from now on. */
  report(message: string): void;
  stop(): void;
}

export interface ProgressOptions {
  readonly send: (progress: { readonly progress: number; readonly message: string }) => Promise<void>;
  readonly everyMs: number;
}

/**
 * Tells every `everyMs` what a call is doing, so that clients that give up after a silence wait on. A quick call, and
 * one that never said what it does, tell nothing. The number only counts up, as MCP asks: nobody knows the end.
 */
export function startProgress({ send, everyMs }: ProgressOptions): Progress {
  let message: string | undefined;
  let told = 0;
  const timer = setInterval(() => {
    if (message === undefined) return;
    told += 1;
    // A client that does not take it has gone, and its call is aborted for that reason.
    send({ progress: told, message }).catch(() => {});
  }, everyMs);
  return {
    report: (next) => {
      message = next;
    },
    stop: () => clearInterval(timer),
  };
}

/** For a client that did not ask to be told. */
export const noProgress: Progress = { report() {}, stop() {} };
