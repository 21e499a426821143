import { type JSONRPCMessage, parseJSONRPCMessage } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { MessageLines } from '../message-lines.ts';
import type { StdioSession, StdioSessionParts } from '../stdio-session.ts';
import { createModernServer } from './server.ts';

/** Serves a session whose first message names its revision of the protocol: MCP 2026-07-28. */
export async function serveModern(lines: MessageLines, parts: StdioSessionParts): Promise<StdioSession> {
  const transport = lines.open<JSONRPCMessage>(parseJSONRPCMessage);
  const { send } = transport;
  // There is no message that says that a client is ready; the first answer shows it.
  transport.send = async (message) => {
    await send(message);
    parts.onReady();
  };
  return serveStdio(() => createModernServer(parts), {
    transport,
    onerror: (error) => parts.log.debug({ err: error }, 'a message to or from the MCP client failed'),
  });
}
