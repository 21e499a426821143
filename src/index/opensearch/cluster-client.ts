import type { Client } from '@opensearch-project/opensearch';
import { ServiceError } from '../../contract/errors.ts';

/** How a cluster is reached. */
export interface ClusterAddress {
  /** The HTTP addresses of its nodes; several, so that searches go on when one is away. */
  readonly urls: readonly string[];
  readonly auth?:
    | { readonly kind: 'password'; readonly user: string; readonly password: () => string }
    | { readonly kind: 'api key'; readonly key: () => string }
    | undefined;
  /** Certificates that are trusted instead of those of Node, as PEM. */
  readonly ca?: string | undefined;
}

export interface ClusterRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD';
  /** Begins with `/`. Made of our own names alone: no part of it comes from a client. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: object;
  /** Lines of JSON, for a bulk request; instead of `body`. */
  readonly lines?: string;
  /** How often the request is sent again after a broken connection or a 502 to 504. */
  readonly retries?: number;
  readonly timeoutMs?: number;
}

/** What a cluster answered, or that it did not. */
export type ClusterReply =
  | { readonly kind: 'answer'; readonly status: number; readonly body: unknown }
  /** No node answered in time. The request may have been carried out. */
  | { readonly kind: 'unreachable'; readonly why: string };

/** Sends requests to a cluster. Never rejects for what a cluster or a network does. */
export interface ClusterClient {
  send(request: ClusterRequest): Promise<ClusterReply>;
  /** Ends the requests under way, too. */
  close(): Promise<void>;
}

/** Longer than any search of a healthy cluster takes. */
const requestTimeoutMs = 10_000;
/** Clients are told to ask again after this long when the cluster did not answer. */
const retryAfterSeconds = 5;

/** A client that loads the package of OpenSearch with its first request. */
export function createClusterClient(address: ClusterAddress): ClusterClient {
  let opening: Promise<Client> | undefined;
  let isClosed = false;
  return {
    send: async (request) => {
      if (isClosed) return { kind: 'unreachable', why: 'the connections are closed' };
      opening ??= openClient(address);
      const client = await opening;
      const { method, path, query, body, lines, retries = 1, timeoutMs = requestTimeoutMs } = request;
      const params = { method, path, ...(query && { querystring: query }) };
      const sent =
        lines === undefined ? { ...params, ...(body && { body }) } : { ...params, bulkBody: lines };
      try {
        const options = { requestTimeout: timeoutMs, maxRetries: retries };
        const answer = await client.transport.request(sent, options);
        return { kind: 'answer', status: answer.statusCode ?? 0, body: answer.body };
      } catch (error) {
        return replyOf(error);
      }
    },
    close: async () => {
      isClosed = true;
      const client = await opening?.catch(() => undefined);
      await client?.close();
    },
  };
}

async function openClient({ urls, auth, ca }: ClusterAddress): Promise<Client> {
  const opensearch = await import('@opensearch-project/opensearch').catch(notInstalled);
  return new opensearch.Client({
    nodes: [...urls],
    ...(auth?.kind === 'password' && { auth: { username: auth.user, password: auth.password() } }),
    ...(auth?.kind === 'api key' && { headers: { authorization: `ApiKey ${auth.key()}` } }),
    ...(ca !== undefined && { ssl: { ca } }),
  });
}

/** The package is an optional one, so that an install without a cluster does not have it. */
function notInstalled(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  throw clusterUnavailable('its client is missing: npm install --global @opensearch-project/opensearch');
}

/** An error status is an answer; what else the package throws means that there was none. */
function replyOf(error: unknown): ClusterReply {
  const { name, message, statusCode, body } = error as Error & { statusCode?: number; body?: unknown };
  if (name === 'ResponseError') return { kind: 'answer', status: statusCode ?? 0, body };
  const isOfNetwork = ['ConnectionError', 'TimeoutError', 'NoLivingConnectionsError', 'DeserializationError'];
  if (isOfNetwork.includes(name)) return { kind: 'unreachable', why: message };
  throw error;
}

/** The type of the error in an answer, such as `index_not_found_exception`; empty for an answer without one. */
export function errorType(body: unknown): string {
  const { error } = (body ?? {}) as { error?: { type?: string } | string };
  return typeof error === 'object' && error !== null ? (error.type ?? '') : '';
}

/** Why a cluster whose disks are nearly full refuses all writes, and new indexes. */
export const diskFull = 'the disks of the cluster are full';

/** Whether a cluster refuses a write because of its disks: with 429 for an index, with 403 for a new one. */
function isBlocked({ status, body }: { readonly status: number; readonly body: unknown }): boolean {
  return (status === 429 || status === 403) && errorType(body) === 'cluster_block_exception';
}

/** Whether an answer with status 500 is to a request that can never pass. */
function isFaultOfOurs(body: unknown): boolean {
  const { error } = (body ?? {}) as { error?: { root_cause?: readonly { type?: string }[] } };
  const types = [errorType(body), ...(error?.root_cause ?? []).map(({ type = '' }) => type)];
  return types.some((type) => /too_many_|parsing|script|illegal/.test(type));
}

/** That the cluster cannot answer now: a 503 for clients. */
export function clusterUnavailable(why: string): ServiceError {
  return new ServiceError('unavailable', `the search index cannot answer now: ${why}`, { retryAfterSeconds });
}

/**
 * The body of a good answer. Throws `unavailable` where the cluster did not answer or could not; any other refusal is a
 * fault of ours.
 */
export function bodyOf<Body>(reply: ClusterReply, doing: string): Body {
  if (reply.kind === 'unreachable') throw clusterUnavailable('no node of the OpenSearch cluster answers');
  const { status, body } = reply;
  if (status >= 200 && status < 300) return body as Body;
  if (isBlocked(reply)) throw clusterUnavailable(diskFull);
  // A node that is lost in the middle of a search is a 500, too.
  if (status === 429 || (status >= 500 && !isFaultOfOurs(body)))
    throw clusterUnavailable(`the OpenSearch cluster answers with status ${status}`);
  if (status === 401 || status === 403)
    throw clusterUnavailable('the OpenSearch cluster does not accept the user or key of this service');
  // Without its words, which may hold those of a query.
  throw new Error(`OpenSearch refused ${doing}: ${status} ${errorType(body)}`);
}

/** Creates an index; does nothing if it is there already. Throws as `bodyOf`. */
export async function createIndex(
  client: ClusterClient,
  name: string,
  body: object,
  limits: Pick<ClusterRequest, 'retries' | 'timeoutMs'> = {},
): Promise<void> {
  const reply = await client.send({ method: 'PUT', path: `/${name}`, body, ...limits });
  const exists = reply.kind === 'answer' && errorType(reply.body) === 'resource_already_exists_exception';
  if (!exists) bodyOf(reply, `the index ${name}`);
}
