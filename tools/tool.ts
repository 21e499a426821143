import type { z } from 'zod';
import type { Engine, SearchOptions } from '../src/engine/engine.ts';
import type { ServerFacts } from './server-facts.ts';

/** Hints for clients about the effects of a call (MCP `ToolAnnotations`). */
export interface ToolHints {
  readonly readOnlyHint: boolean;
  /** Whether what is there may be lost; only for tools that are not read-only. */
  readonly destructiveHint?: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

export interface CallOptions extends SearchOptions {
  /** Called with the current step of a slow call, in words for a waiting user. */
  readonly onProgress?: (message: string) => void;
  /** Whether the structure of a page's text is wanted with it. */
  readonly structure?: boolean;
  /** Arguments of the call that the tool does not know, and which were ignored. */
  readonly ignored?: readonly string[];
}

/** A tool as a value. Servers loop over a list of tools. */
export interface Tool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** When to use it, how, and what to do next, on a server like this. Below 2 KB, because clients cut longer ones. */
  describe(server: ServerFacts): string;
  readonly input: Input;
  /** Alternative names of parameters that models use, in snake case, with the real name. */
  readonly otherNames?: Readonly<Record<string, string>>;
  /** Turns arguments that other search tools take into parameters of this one, before they are parsed. */
  understand?(args: Readonly<Record<string, unknown>>): Record<string, unknown>;
  readonly output: Output;
  readonly annotations: ToolHints;
  /** The class of a call in the limits per client. */
  readonly countsAs: 'search' | 'content';
  /** The price of a call in tokens; 1 by default, and for invalid arguments. */
  tokens?(input: z.output<Input>): number;
  /** Copied into the `_meta` of the listing. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Answers a call with parsed arguments. Throws a `ServiceError` for an error that the agent may see. */
  handle(engine: Engine, input: z.output<Input>, options: CallOptions): Promise<z.input<Output>>;
}
