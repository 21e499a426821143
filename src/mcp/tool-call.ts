import type { Tool } from '../../tools/tool.ts';
import { createParameterReader } from '../contract/parameters.ts';
import type { Engine } from '../engine/engine.ts';
import type { Admitted } from '../limits/admission.ts';
import type { Log } from '../runtime.ts';
import { normalizeArguments } from './normalize-arguments.ts';
import { noProgress, startProgress } from './progress.ts';
import type { RequestContext } from './request-context.ts';
import { type ToolResult, toolError, toolResult } from './tool-result.ts';

export interface ToolCallParts {
  /** Called at every tool call, so it should open the engine once. The handshake does not wait for it. */
  readonly engine: () => Promise<Engine>;
  readonly log: Log;
  /** Interval of progress notifications, ms. */
  readonly progressEveryMs?: number;
}

export type ToolCall = (args: Record<string, unknown>, context: RequestContext) => Promise<ToolResult>;

/** Creates the call of one tool: lenient with arguments, strict with answers. Rejects only after it was cancelled. */
export function createToolCall(tool: Tool, parts: ToolCallParts): ToolCall {
  const { engine, log, progressEveryMs = 1000 } = parts;
  const parseParameters = createParameterReader(tool.input);
  type ReadArguments = {
    readonly input: ReturnType<typeof parseParameters>;
    readonly ignored: readonly string[];
  };

  const readArguments = (args: Record<string, unknown>) => {
    try {
      const normalized = normalizeArguments(tool, args);
      const input = parseParameters(normalized);
      const ignored = Object.keys(normalized).filter((name) => !Object.hasOwn(tool.input.shape, name));
      return { kind: 'read', input, ignored, tokens: tool.tokens?.(input) ?? 1 } as const;
    } catch (error) {
      return { kind: 'wrong', error, tokens: 1 } as const;
    }
  };

  return async (args, { signal, admit, sendProgress }) => {
    const progress = sendProgress
      ? startProgress({ send: sendProgress, everyMs: progressEveryMs })
      : noProgress;
    let admitted: Admitted | undefined;
    const work = async ({ input, ignored }: ReadArguments): Promise<ToolResult> => {
      progress.report('Opening the index');
      const opened = await engine();
      signal.throwIfAborted();
      const options = {
        signal,
        onProgress: progress.report,
        ignored,
        ...(admitted && { mayAskExternal: admitted.mayAskExternal }),
      };
      return toolResult(tool, await tool.handle(opened, input, options));
    };
    try {
      // A call with invalid arguments counts too. So arguments are parsed first, and their error is thrown last.
      const given = readArguments(args);
      admitted = await admit?.(tool.countsAs, given.tokens);
      if (given.kind === 'wrong') throw given.error;
      return await (admitted ? admitted.run(() => work(given)) : work(given));
    } catch (error) {
      signal.throwIfAborted();
      return toolError(tool, error, log);
    } finally {
      progress.stop();
      admitted?.release();
    }
  };
}
