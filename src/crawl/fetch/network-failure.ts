/** Why a request got no answer. */
export type NetworkFailure =
  | 'host not found'
  | 'lookup failed'
  | 'timeout'
  | 'slow body'
  | 'headers too large'
  | 'connection refused'
  | 'connection reset'
  | 'certificate'
  | 'tls'
  | 'invalid http'
  | 'content length'
  | 'other';

const failures: Readonly<Record<string, NetworkFailure>> = {
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'lookup failed',
  UND_ERR_BODY_TIMEOUT: 'slow body',
  UND_ERR_HEADERS_OVERFLOW: 'headers too large',
  HPE_HEADER_OVERFLOW: 'headers too large',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection reset',
  UND_ERR_SOCKET: 'connection reset',
  ERR_HTTP2_GOAWAY_SESSION: 'connection reset',
};

/** Later patterns are tried only when the earlier ones do not match. */
const patterns: readonly (readonly [RegExp, NetworkFailure])[] = [
  [/TIMEOUT|ETIMEDOUT/, 'timeout'],
  [/CERT|^ERR_TLS|SELF_SIGNED|^UNABLE_TO/, 'certificate'],
  [/^ERR_SSL|^EPROTO/, 'tls'],
  [/^HPE_/, 'invalid http'],
  [/CONTENT_LENGTH/, 'content length'],
];

/** Classifies an error code of Node or undici. */
export function networkFailure(code: string): NetworkFailure {
  return failures[code] ?? patterns.find(([pattern]) => pattern.test(code))?.[1] ?? 'other';
}

/** The code of a failed request; empty when the error has none. Its message is not used: it may contain an address. */
export function errorCode(error: unknown): string {
  // When several addresses were tried, the first failure stands for all.
  const [failure] = error instanceof AggregateError ? error.errors : [error];
  const { code, name } = (failure ?? {}) as { code?: string; name?: string };
  return code ?? (name === 'HTTPParserError' ? 'HPE_INVALID' : '');
}
