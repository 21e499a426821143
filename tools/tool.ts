import type { z } from 'zod';
import type { AskOptions, Engine } from '../src/engine/engine.ts';

/** Hints for a client on what a call may do (MCP `ToolAnnotations`). */
export interface ToolHints {
  readonly readOnlyHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** What an agent sees, as a value: the door that offers a tool loops over a list of these. */
export interface Tool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** When to use it, how, and what to do next; below 2 KB, since clients cut there. */
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  readonly annotations: ToolHints;
  /** Goes into the listing's `_meta` as it is. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Answers with arguments that `input` has parsed; a refusal that the agent may read is a `ServiceError`. */
  handle(engine: Engine, input: z.output<Input>, options: AskOptions): Promise<z.input<Output>>;
}
