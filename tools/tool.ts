import type { z } from 'zod';
import type { Engine, SearchOptions } from '../src/engine/engine.ts';

/** Hints for a client on what a call may do (MCP `ToolAnnotations`). */
export interface ToolHints {
  readonly readOnlyHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

export interface CallOptions extends SearchOptions {
  /** Told what a call does that may take its time, in words for a person who waits. */
  readonly onProgress?: (message: string) => void;
}

/** What an agent sees, as a value: the door that offers a tool loops over a list of these. */
export interface Tool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** For people: URL of an SVG. */
  readonly icon: string;
  /** When to use it, how, and what to do next; below 2 KB, since clients cut there. */
  readonly description: string;
  readonly input: Input;
  /** What models call a parameter as well, in snake case, and its name here. */
  readonly otherNames?: Readonly<Record<string, string>>;
  readonly output: Output;
  readonly annotations: ToolHints;
  /** What a call counts as where clients have shares. */
  readonly countsAs: 'search' | 'content';
  /** How many tokens of its share a call costs; 1 where it is not given, and for arguments that are refused. */
  tokens?(input: z.output<Input>): number;
  /** Goes into the listing's `_meta` as it is. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Answers with arguments that `input` has parsed; a refusal that the agent may read is a `ServiceError`. */
  handle(engine: Engine, input: z.output<Input>, options: CallOptions): Promise<z.input<Output>>;
}
