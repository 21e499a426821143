import type { Tool } from '../../tools/tool.ts';
import { errorTable, ServiceError } from '../contract/errors.ts';
import type { Log } from '../runtime.ts';

/** The result of `tools/call`. A type, because interfaces have no index signature, which the SDKs ask for. */
export type ToolResult = {
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: true;
};

/**
 * The result of a tool call. Some clients show only the structured content to their model, others only the text, so both
 * contain the same object. Throws when the output violates the tool's own schema.
 */
export function toolResult(tool: Tool, output: unknown): ToolResult {
  const structuredContent = tool.output.parse(output);
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
}

/**
 * A failed tool call as text: what was wrong and what to do next. Only the message of a `ServiceError` is shown; any other
 * error is a bug, which is logged with its stack.
 */
export function toolError(tool: Tool, error: unknown, log: Log): ToolResult {
  if (error instanceof ServiceError && error.code !== 'internal') return failure(readable(tool, error));
  log.error({ err: error, tool: tool.name }, 'a tool call failed');
  return failure('Internal error. It has been logged; the same call will probably fail again.');
}

function failure(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

function readable(tool: Tool, error: ServiceError): string {
  const words = `${errorTable[error.code].title}: ${error.message}.`;
  if (error.code === 'invalid_parameters') return `${words} Correct them and call ${tool.name} again.`;
  if (error.retryAfterSeconds === undefined) return words;
  const seconds = Math.max(1, Math.ceil(error.retryAfterSeconds));
  return `${words} Wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'} before calling ${tool.name} again.`;
}
