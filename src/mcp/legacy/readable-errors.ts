import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Log } from '../../runtime.ts';
import { describeIssues } from '../describe-issues.ts';
import { rpcCodes } from '../rpc-error.ts';

interface Sender {
  send(message: JSONRPCMessage, ...options: never[]): Promise<void>;
}

/**
 * Makes a transport send only readable errors. For invalid parameters of a request, the SDK would answer "internal error"
 * with a dump of its parser; this sends -32602 with a message. Any other internal error is a bug: it is logged, and its
 * message is not sent.
 */
export function readableErrors<Transport extends Sender>(transport: Transport, log: Log): Transport {
  const send = transport.send.bind(transport) as (...args: unknown[]) => Promise<void>;
  transport.send = (message, ...options) => {
    if (!('error' in message) || message.error.code !== rpcCodes.internal) return send(message, ...options);
    const wrong = describeIssues(message.error.message);
    if (wrong === undefined) log.error({ error: message.error.message }, 'an MCP request failed');
    const error =
      wrong === undefined
        ? { code: rpcCodes.internal, message: 'Internal error. It has been logged.' }
        : { code: rpcCodes.invalidParams, message: `Invalid params: ${wrong}.` };
    return send({ ...message, error }, ...options);
  };
  return transport;
}
