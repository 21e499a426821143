import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import type { MessageLines } from '../message-lines.ts';
import type { StdioSession, StdioSessionParts } from '../stdio-session.ts';
import { readableErrors } from './readable-errors.ts';
import { createLegacyServer } from './server.ts';

/** Serves a session that begins with `initialize`. */
export async function serveLegacy(lines: MessageLines, parts: StdioSessionParts): Promise<StdioSession> {
  const server = createLegacyServer(parts);
  server.oninitialized = parts.onReady;
  const transport = lines.open<JSONRPCMessage>((json) => JSONRPCMessageSchema.parse(json));
  await server.connect(readableErrors(transport, parts.log));
  return server;
}
