/** The `_meta` key in which every request since MCP 2026-07-28 names its revision (specification, basic/index). */
const versionKey = 'io.modelcontextprotocol/protocolVersion';
const firstModernVersion = '2026-07-28';

/**
 * Whether a message belongs to MCP 2026-07-28 or later, which has no handshake: it names its revision itself, or the header
 * `MCP-Protocol-Version` does. Everything else is for the older revisions, which begin with `initialize`.
 */
export function isModern(message: unknown, headerVersion?: string): boolean {
  const version = headerVersion?.trim() ?? '';
  if (/^\d{4}-\d\d-\d\d$/.test(version) && version >= firstModernVersion) return true;
  return Array.isArray(message) ? message.some(namesRevision) : namesRevision(message);
}

function namesRevision(message: unknown): boolean {
  if (typeof message !== 'object' || message === null) return false;
  const { params } = message as { params?: { _meta?: unknown } | null };
  const meta = params?._meta;
  return typeof meta === 'object' && meta !== null && versionKey in meta;
}
