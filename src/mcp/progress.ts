/** The progress notifications of one call. */
export interface Progress {
  /** Sets what the call is doing from now on. */
  report(message: string): void;
  stop(): void;
}

export interface ProgressOptions {
  readonly send: (progress: { readonly progress: number; readonly message: string }) => Promise<void>;
  readonly everyMs: number;
}

/**
 * Sends every `everyMs` what a call is doing, so that clients with a timeout on silence keep waiting. A quick call, or one
 * without a report, sends nothing. The number only increases, as MCP requires; the total is unknown.
 */
export function startProgress({ send, everyMs }: ProgressOptions): Progress {
  let message: string | undefined;
  let sent = 0;
  const timer = setInterval(() => {
    if (message === undefined) return;
    sent += 1;
    // Sending fails only when the client has disconnected, which aborts its call.
    send({ progress: sent, message }).catch(() => {});
  }, everyMs);
  return {
    report: (next) => {
      message = next;
    },
    stop: () => clearInterval(timer),
  };
}

/** For a client without a progress token. */
export const noProgress: Progress = { report() {}, stop() {} };
