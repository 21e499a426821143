import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Tool } from '../../tools/tool.ts';
import { errorTable, ServiceError } from '../contract/errors.ts';
import type { Log } from '../runtime.ts';

/**
 * A result of a tool call. Some clients show their model the structured content alone, others the text alone, so
 * both carry the same object. Throws when the output breaks the tool's own schema.
 */
export function toolResult(tool: Tool, output: unknown): CallToolResult {
  const structuredContent = tool.output.parse(output);
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
}

/**
 * A failed tool call, wholly in words: what was wrong and what to do next. Only a `ServiceError` speaks for itself;
 * anything else is a bug of ours, is logged with its stack and never shown.
 */
export function toolError(tool: Tool, error: unknown, log: Log): CallToolResult {
  if (error instanceof ServiceError && error.code !== 'internal') return failure(readable(tool, error));
  log.error({ err: error, tool: tool.name }, 'a tool call failed');
  return failure('Internal error. It has been logged; the same call will probably fail again.');
}

function failure(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

function readable(tool: Tool, error: ServiceError): string {
  const words = `${errorTable[error.code].title}: ${error.message}.`;
  if (error.code === 'invalid_parameters') return `${words} Correct them and call ${tool.name} again.`;
  if (error.retryAfterSeconds === undefined) return words;
  const seconds = Math.max(1, Math.ceil(error.retryAfterSeconds));
  return `${words} Wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'} before calling ${tool.name} again.`;
}
