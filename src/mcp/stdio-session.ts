import type { Log } from '../runtime.ts';
import type { McpOffer } from './mcp-offer.ts';

export interface StdioSessionParts {
  readonly offer: McpOffer;
  readonly log: Log;
  /** Called when the client has its first answer; perhaps more than once. */
  readonly onReady: () => void;
}

/** Closing it aborts the open calls. */
export interface StdioSession {
  close(): Promise<void>;
}
