/** Codes of JSON-RPC 2.0, section 5.1, and `refused` from its range for servers: too many requests, or not available now. */
export const rpcCodes = {
  parse: -32700,
  invalidRequest: -32600,
  invalidParams: -32602,
  internal: -32603,
  refused: -32000,
} as const;

/** An error with the code and the data of its JSON-RPC answer: both SDKs copy them. */
export function rpcError(code: number, message: string, data?: object): Error {
  return Object.assign(new Error(message), { code, ...(data && { data }) });
}
