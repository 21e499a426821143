import { createHash } from 'node:crypto';
import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import { ServiceError } from '../../contract/errors.ts';
import type { ApiKeyLookup } from '../../limits/api-keys.ts';
import type { Rate } from '../../limits/gcra.ts';

/** The authorisation server whose tokens are accepted, and what they must say. */
export interface AccessTokenOptions {
  /** Its issuer identifier (RFC 8414), exactly as it stands in its tokens. */
  readonly issuer: string;
  /** The identifier of this service (RFC 8707), which a token must have as its audience. */
  readonly resource: string;
  /** A token must have this scope. */
  readonly scope: string;
  /** The rate limit of each holder. */
  readonly rate: Rate;
}

const timeoutMs = 5000;
/** A failed look for the server's keys is not repeated before. */
const retryMs = 5000;
const jwksMaxAgeMs = 10 * 60 * 1000;
/** Between the clocks of two machines. */
const clockToleranceSeconds = 30;
const maxTokenLength = 8192;

/** Signatures by a private key: a secret that both sides hold would let this service make tokens. */
const algorithms = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');

/**
 * Verifies access tokens that are JWTs (RFC 9068): signature, issuer, audience, expiry and scope. The server's keys are
 * found by its metadata (RFC 8414, OpenID Connect Discovery) with the first token and cached. Throws a `ServiceError`
 * (`unavailable`) while the server cannot be reached. The code for it is loaded with the first token.
 */
export function createAccessTokens(options: AccessTokenOptions): (token: string) => Promise<ApiKeyLookup> {
  const { issuer, resource, scope, rate } = options;
  let keys: Promise<JWTVerifyGetKey> | undefined;
  let failedAt = Number.NEGATIVE_INFINITY;

  const keysOnce = (): Promise<JWTVerifyGetKey> => {
    if (performance.now() < failedAt + retryMs) throw unreachable;
    keys ??= findKeys(issuer).catch(() => {
      keys = undefined;
      failedAt = performance.now();
      throw unreachable;
    });
    return keys;
  };

  return async (token) => {
    if (token.length > maxTokenLength || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token))
      return refused('this is neither an API key nor an access token');
    const { jwtVerify, errors } = await import('jose');
    const getKey = await keysOnce();
    try {
      const { payload } = await jwtVerify(token, getKey, {
        issuer,
        audience: resource,
        algorithms,
        requiredClaims: ['exp'],
        clockTolerance: clockToleranceSeconds,
      });
      if (!scopesOf(payload).includes(scope))
        return { ...refused(`this access token lacks the scope ${scope}`), lacksScope: true };
      const holder = payload.sub ?? payload.client_id;
      if (typeof holder !== 'string') return refused('this access token names no holder (sub)');
      return { kind: 'valid', key: { ...noRecord, id: idOf(issuer, holder), rate } };
    } catch (error) {
      if (error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError)) throw unreachable;
      return refused(reasonOf(error, errors));
    }
  };
}

const unreachable = new ServiceError(
  'unavailable',
  'the authorisation server of this service cannot be reached, so access tokens cannot be checked: try again, or use an API key',
);

/** A holder has an id of the same form as a key, and so a share of its own. */
function idOf(issuer: string, holder: string): string {
  return createHash('sha256').update(`${issuer} ${holder}`).digest('hex').slice(0, 12);
}

const noRecord = { name: 'access token', hash: '', createdAt: 0, expiresAt: null, revokedAt: null };

function refused(why: string): Extract<ApiKeyLookup, { kind: 'refused' }> {
  return { kind: 'refused', why };
}

/** `scope` as in RFC 8693, `scp` as some servers write it. */
function scopesOf({ scope, scp }: JWTPayload): string[] {
  const named = scope ?? scp;
  if (Array.isArray(named)) return named.map(String);
  return typeof named === 'string' ? named.split(' ') : [];
}

function reasonOf(error: Error, errors: typeof import('jose').errors): string {
  if (error instanceof errors.JWTExpired) return 'this access token has expired';
  if (error instanceof errors.JWTClaimValidationFailed) {
    const claims: Readonly<Record<string, string>> = { iss: 'another issuer', aud: 'another audience' };
    const wrong = claims[error.claim];
    return wrong === undefined ? 'this access token is not valid' : `this access token is of ${wrong}`;
  }
  return 'the signature of this access token is not valid';
}

/** Both forms in which a server may publish its metadata. */
async function findKeys(issuer: string): Promise<JWTVerifyGetKey> {
  const { createRemoteJWKSet } = await import('jose');
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const places = [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ];
  for (const place of places) {
    const answer = await fetch(place, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' });
    if (!answer.ok) continue;
    const metadata = (await answer.json()) as { issuer?: unknown; jwks_uri?: unknown };
    if (metadata.issuer !== issuer || typeof metadata.jwks_uri !== 'string') continue;
    return createRemoteJWKSet(new URL(metadata.jwks_uri), {
      timeoutDuration: timeoutMs,
      cacheMaxAge: jwksMaxAgeMs,
    });
  }
  throw new Error('no metadata');
}
