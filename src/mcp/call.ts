import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Tool } from '../../tools/tool.ts';
import { createParameterReader } from '../contract/parameters.ts';
import type { Engine } from '../engine/engine.ts';
import type { Admitted, RouteClass } from '../limits/fair-use.ts';
import type { Log } from '../outside.ts';
import { answer, refusal } from './answer.ts';
import { lenient } from './lenient.ts';
import { noProgress, type ProgressOptions, startProgress } from './progress.ts';

/** Lets a call of this class through and counts it, or throws the `ServiceError` that its client is to read. */
export type Admit = (routeClass: RouteClass) => Admitted;

export interface CallParts {
  /** Asked at every tool call, so it should open the engine once; the handshake does not wait for it. */
  readonly engine: () => Promise<Engine>;
  readonly log: Log;
  /** Where clients have shares; without it every call is let through. */
  readonly admit?: Admit;
  /** How often a client that asked for it is told what a slow call is doing. */
  readonly progressEveryMs?: number;
}

interface CallOptions {
  readonly signal: AbortSignal;
  /** Only where the client asked to be told. */
  readonly sendProgress?: ProgressOptions['send'];
}

export type Call = (args: Record<string, unknown>, options: CallOptions) => Promise<CallToolResult>;

/** Makes the calls of one tool: lenient with arguments, strict with answers. Rejects only once it is cancelled. */
export function createCall(tool: Tool, parts: CallParts): Call {
  const { engine, log, admit, progressEveryMs = 1000 } = parts;
  const read = createParameterReader(tool.input);

  return async (args, { signal, sendProgress }) => {
    const progress = sendProgress
      ? startProgress({ send: sendProgress, everyMs: progressEveryMs })
      : noProgress;
    let admitted: Admitted | undefined;
    const work = async (): Promise<CallToolResult> => {
      const input = read(lenient(tool, args));
      progress.tell('Opening the index');
      const opened = await engine();
      signal.throwIfAborted();
      const options = {
        signal,
        onProgress: progress.tell,
        ...(admitted && { mayAskOthers: admitted.mayAskOthers }),
      };
      return answer(tool, await tool.handle(opened, input, options));
    };
    try {
      admitted = admit?.(tool.countsAs);
      return await (admitted ? admitted.run(work) : work());
    } catch (error) {
      signal.throwIfAborted();
      return refusal(tool, error, log);
    } finally {
      progress.stop();
      admitted?.release();
    }
  };
}
