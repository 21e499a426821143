import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';

/** Epoch milliseconds. Passed in wherever time matters, so that a test can set it. */
export type Clock = () => number;

/** The part of pino that we use. Nothing below `app` and `cli` logs in another way. */
export interface Log {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** A log that drops everything, for tests. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** The proxy settings as in `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`; empty for none. */
export interface Proxies {
  readonly http: string;
  readonly https: string;
  readonly none: string;
}

export interface OutgoingRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Record<string, string>;
  readonly body?: string;
  /** Aborting it closes the connection, at any point of the request. */
  readonly signal: AbortSignal;
}

export interface OutgoingResponse {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  /** Must be read or destroyed. */
  readonly body: Readable;
}

/** Sends requests to services that the operator chose. Pages of the web are fetched by the crawler only. */
export interface Outgoing {
  /**
   * Follows no redirect. Rejects with a system or undici error, whose text must not be shown to users. If a proxy could
   * not be reached, the error names the setting of that proxy as `proxySetting`.
   */
  send(url: URL, request: OutgoingRequest): Promise<OutgoingResponse>;
  close(): Promise<void>;
}

const maxHeaderBytes = 32 * 1024;

/** Plain HTTP requests with persistent connections and, where the environment asks for it, through a proxy. */
export function createOutgoing(proxies: Proxies): Outgoing {
  let opening: Promise<{ undici: typeof import('undici'); dispatcher: Dispatcher }> | undefined;

  const open = async () => {
    const undici = await import('undici');
    const dispatcher = new undici.EnvHttpProxyAgent({
      httpProxy: proxies.http,
      httpsProxy: proxies.https,
      noProxy: proxies.none,
      maxHeaderSize: maxHeaderBytes,
    });
    return { undici, dispatcher };
  };

  return {
    send: async (url, request) => {
      opening ??= open();
      const { undici, dispatcher } = await opening;
      const { statusCode, headers, body } = await undici
        .request(url, { ...request, dispatcher })
        .catch((error: unknown) => {
          const setting = proxySettingOf(error, url, proxies);
          throw setting === undefined ? error : Object.assign(error as Error, { proxySetting: setting });
        });
      return { status: statusCode, headers, body };
    },
    close: async () => {
      const opened = await opening;
      opening = undefined;
      await opened?.dispatcher.destroy();
    },
  };
}

/** The setting of the proxy that a failed dial was for; undefined where it was for the service itself. */
function proxySettingOf(error: unknown, url: URL, { http, https }: Proxies): string | undefined {
  const [failure] = error instanceof AggregateError ? error.errors : [error];
  const { hostname, address, port } = (failure ?? {}) as NodeJS.ErrnoException & {
    readonly hostname?: string;
    readonly address?: string;
    readonly port?: number;
  };
  const [setting, text] =
    url.protocol === 'https:' && https !== '' ? ['HTTPS_PROXY', https] : ['HTTP_PROXY', http];
  if (!URL.canParse(text)) return undefined;
  const proxy = new URL(text);
  const proxyHost = proxy.hostname.replace(/^\[|\]$/g, '');
  const isLookedUp = hostname !== undefined && hostname === proxyHost && hostname !== url.hostname;
  const isDialled = address !== undefined && port === portOf(proxy) && portOf(url) !== port;
  return isLookedUp || isDialled ? setting : undefined;
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}
