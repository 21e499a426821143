import type { Context, Hono } from 'hono';
import { maxAgeSeconds, sendCacheable } from '../cacheable-response.ts';
import type { HttpEnv } from '../http-env.ts';
import { mountGet } from '../mount-route.ts';
import type { AccessTokenOptions } from './access-tokens.ts';

/** What clients are told of the authorisation server. */
export type ProtectedResource = Pick<AccessTokenOptions, 'issuer' | 'resource' | 'scope'>;

const wellKnown = '/.well-known/oauth-protected-resource';

/** Mounts the metadata of the service as an OAuth 2.0 protected resource (RFC 9728), for each path that clients derive. */
export function mountProtectedResource(
  app: Hono<HttpEnv>,
  { issuer, resource, scope }: ProtectedResource,
): void {
  const body = JSON.stringify({
    resource,
    authorization_servers: [issuer],
    scopes_supported: [scope],
    bearer_methods_supported: ['header'],
    resource_name: 'Gleaner',
    resource_documentation: `${new URL(resource).origin}/docs`,
  });
  const answer = (c: Context) =>
    sendCacheable(c, { body, type: 'application/json', maxAgeSeconds: maxAgeSeconds.documentation });
  const paths = new Set(['', pathOf(resource), '/mcp', '/mcp/connector']);
  for (const path of paths) mountGet(app, `${wellKnown}${path}`, answer);
}

/** Where a client finds the metadata: RFC 9728, section 3.1. */
export function metadataUrl(resource: string): string {
  return `${new URL(resource).origin}${wellKnown}${pathOf(resource)}`;
}

function pathOf(resource: string): string {
  return new URL(resource).pathname.replace(/\/$/, '');
}
