import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import Provider, { type Configuration } from 'oidc-provider';
import { onTestFinished } from 'vitest';

export interface AuthorisationServer {
  readonly issuer: string;
  /** Paths that were asked for, in order. */
  readonly asked: readonly string[];
  /** A token of the client-credentials grant, as a program without a person gets it. */
  grant(scope: string, resource?: string): Promise<string>;
  /** A token with the server's own signature, whatever it says. */
  sign(claims: JWTPayload, key?: Parameters<SignJWT['sign']>[0], alg?: string): Promise<string>;
  close(): Promise<void>;
}

const robot = { client_id: 'robot', client_secret: 'for this test alone' };

/**
 * A real OpenID provider on loopback, whose one user signs in and agrees at once. It issues JWTs for `resource`, and for
 * another resource. It ends with the test.
 */
export async function openAuthorisationServer(resource: string): Promise<AuthorisationServer> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'k1' };
  const asked: string[] = [];
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, configuration(resource, jwk));
  const callback = provider.callback();
  server.on('request', (request, response) => {
    asked.push((request.url ?? '').replace(/\?.*/, ''));
    if (!request.url?.startsWith('/interaction/')) return callback(request, response);
    agree(provider, request, response).catch((error) => response.destroy(error));
  });
  const close = () => closed(server);
  onTestFinished(close);
  return {
    issuer,
    asked,
    close,
    async grant(scope, audience = resource) {
      const body = new URLSearchParams({ grant_type: 'client_credentials', scope, resource: audience });
      const basic = `${robot.client_id}:${encodeURIComponent(robot.client_secret)}`;
      const authorization = `Basic ${Buffer.from(basic).toString('base64')}`;
      const answer = await fetch(`${issuer}/token`, { method: 'POST', headers: { authorization }, body });
      const { access_token } = (await answer.json()) as { access_token: string };
      return access_token;
    },
    sign: (claims, key = privateKey, alg = 'RS256') =>
      new SignJWT(claims).setProtectedHeader({ alg, kid: 'k1', typ: 'at+jwt' }).sign(key),
  };
}

function configuration(resource: string, jwk: object): Configuration {
  return {
    clients: [
      {
        ...robot,
        token_endpoint_auth_method: 'client_secret_basic',
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
      },
    ],
    jwks: { keys: [jwk] } as NonNullable<Configuration['jwks']>,
    scopes: ['openid', 'offline_access', 'gleaner', 'other'],
    cookies: { keys: ['for this test alone'] },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: (_, audience) => ({
          scope: 'gleaner other',
          audience,
          accessTokenFormat: 'jwt',
          accessTokenTTL: 600,
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    clientDefaults: { token_endpoint_auth_method: 'none' },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
    pkce: { required: () => true },
  };
}

type Exchange = Parameters<ReturnType<Provider['callback']>>;

/** Signs the one user in, and agrees to what is asked for. */
async function agree(provider: Provider, ...[request, response]: Exchange): Promise<void> {
  const { prompt, params, grantId, session } = await provider.interactionDetails(request, response);
  if (prompt.name === 'login') {
    const result = { login: { accountId: 'ada' } };
    return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  }
  const accountId = session?.accountId ?? '';
  const found = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  const grant = found ?? new provider.Grant({ accountId, clientId: String(params.client_id) });
  grant.addOIDCScope(String(params.scope));
  const { missingResourceScopes = {} } = prompt.details as {
    missingResourceScopes?: Record<string, string[]>;
  };
  for (const [indicator, scopes] of Object.entries(missingResourceScopes))
    grant.addResourceScope(indicator, scopes.join(' '));
  const result = { consent: { grantId: await grant.save() } };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
}

function closed(server: Server): Promise<void> {
  return new Promise((done) => {
    server.close(() => done());
    server.closeAllConnections();
  });
}
