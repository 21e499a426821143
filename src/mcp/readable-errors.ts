import { ErrorCode, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Log } from '../runtime.ts';

interface Sender {
  send(message: JSONRPCMessage, ...options: never[]): Promise<void>;
}

/** The SDK's error for a request that violates its schemas: the issues of its parser as JSON. */
const Issues = z
  .array(
    z.object({
      path: z.array(z.union([z.string(), z.number()])),
      message: z.string(),
      code: z.string(),
      expected: z.string().optional(),
    }),
  )
  .min(1);

/**
 * Makes a transport send only readable errors. For invalid parameters of a request, the SDK would answer "internal error"
 * with a dump of its parser; this sends -32602 with a message. Any other internal error is a bug: it is logged, and its
 * message is not sent.
 */
export function readableErrors<Transport extends Sender>(transport: Transport, log: Log): Transport {
  const send = transport.send.bind(transport) as (...args: unknown[]) => Promise<void>;
  transport.send = (message, ...options) => {
    if (!('error' in message) || message.error.code !== ErrorCode.InternalError)
      return send(message, ...options);
    const wrong = describeIssues(message.error.message);
    if (wrong === undefined) log.error({ error: message.error.message }, 'an MCP request failed');
    const error =
      wrong === undefined
        ? { code: ErrorCode.InternalError, message: 'Internal error. It has been logged.' }
        : { code: ErrorCode.InvalidParams, message: `Invalid params: ${wrong}.` };
    return send({ ...message, error }, ...options);
  };
  return transport;
}

/** The issues of a dump in words; undefined for other text. */
function describeIssues(text: string): string | undefined {
  let dump: unknown;
  try {
    dump = JSON.parse(text);
  } catch {
    return undefined;
  }
  const issues = Issues.safeParse(dump);
  return issues.data?.map(describeIssue).join('; ');
}

const kinds: Readonly<Record<string, string>> = {
  record: 'an object, such as {"name": "value"}',
  object: 'an object',
  array: 'a list',
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
};

function describeIssue({ path, message, expected = '' }: z.infer<typeof Issues>[number]): string {
  const kind = kinds[expected];
  return `${path.join('.')} ${kind === undefined ? `is wrong (${message})` : `must be ${kind}`}`;
}
