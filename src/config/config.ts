import { resolve } from 'node:path';
import { z } from 'zod';
import { defaultToolNames, type ToolName, toolNames } from '../../tools/tool-names.ts';
import { ServiceError } from '../contract/errors.ts';
import { type ExternalConfig, externalSettings, readExternal } from '../external/settings.ts';
import { type ForwardingHeader, forwardingHeaders } from '../limits/forwarded.ts';
import type { Rate } from '../limits/gcra.ts';
import { isLoopback } from '../limits/loopback.ts';
import { noProxies, type TrustedProxies } from '../limits/trusted-proxies.ts';
import { type ClusterConfig, clusterSettings, readCluster } from './cluster-settings.ts';
import { platformDataFolder } from './platform-data-folder.ts';
import {
  flag,
  hosts,
  inFlight,
  logLevels,
  origins,
  port,
  rate,
  toolList,
  trustedProxies,
  workers,
} from './setting-values.ts';
import { readSettingsFile, unknownSettings } from './settings-file.ts';

/** Every setting, by the environment variable that sets it. */
export const settings = {
  GLEANER_HOST: z.string().min(1).default('127.0.0.1').describe('Address that `serve` listens on.'),
  GLEANER_PORT: port.default(8080).describe('Port that `serve` listens on; 0 takes a free one.'),
  GLEANER_WORKERS: workers
    .default(1)
    .describe(
      'Number of processes that answer in `serve`, for as many cores; all share the packed index. With 2 or more, one further process writes, and one keeps the limits.',
    ),
  GLEANER_DATA: z
    .string()
    .min(1)
    .optional()
    .describe("Data folder. Default: `gleaner` in the platform's folder for application data."),
  GLEANER_HOSTS: hosts
    .optional()
    .describe(
      'Host names under which clients may reach the service: names with commas between, or `*` for any. On loopback it knows loopback names besides, and what `GLEANER_TRUST_PROXY` passes on; elsewhere localhost and IP addresses, and without this setting `/mcp` alone is checked.',
    ),
  GLEANER_TRUST_PROXY: trustedProxies
    .optional()
    .describe(
      'Proxies that are trusted to report client addresses: addresses and CIDRs, separated by commas, or the number of proxies in front of the service. Default: none.',
    ),
  GLEANER_PROXY_HEADER: z
    .string()
    .toLowerCase()
    .pipe(z.enum(forwardingHeaders, 'must be X-Forwarded-For or Forwarded'))
    .default('x-forwarded-for')
    .describe(
      'The header that these proxies set: `x-forwarded-for` or `forwarded`. The other one is not read.',
    ),
  GLEANER_SEARCH_LIMIT: rate
    .prefault('60/20')
    .describe('Rate limit of searches for one client over HTTP: per minute / at once, or `off`.'),
  GLEANER_CONTENT_LIMIT: rate
    .prefault('120/40')
    .describe('Rate limit of pages read by one client, in the same form.'),
  GLEANER_FALLBACK_LIMIT: rate
    .prefault('10/5')
    .describe(
      'Rate limit of searches of one client that query external providers, in the same form. Above it, answers are local.',
    ),
  GLEANER_IN_FLIGHT_LIMIT: inFlight
    .default(4)
    .describe('Maximum number of requests of one client in flight.'),
  GLEANER_MAX_IN_FLIGHT: inFlight
    .default(256)
    .describe('Maximum number of requests of all clients in flight. Further ones are rejected with 503.'),
  GLEANER_METRICS: z
    .enum(['private', 'public', 'off'], 'must be private, public or off')
    .default('private')
    .describe(
      'Who may read `/metrics`: `private` addresses that come through no proxy, the `public`, or no one (`off`).',
    ),
  GLEANER_ALLOW_PRIVATE: flag
    .default(false)
    .describe('1 lets the crawler visit private and loopback addresses: for an intranet.'),
  GLEANER_RECRAWL: flag
    .default(false)
    .describe('1 lets `serve` visit stored pages again when they are due, one at a time (--recrawl).'),
  GLEANER_CONTACT: z
    .string()
    .max(200)
    .regex(/^[\x20-\x7e]*$/, 'must be plain ASCII')
    .optional()
    .describe('Address or URL that the crawler names in its User-Agent, so that a site can reach you.'),
  GLEANER_LEARN: flag
    .optional()
    .describe(
      '1 visits and keeps the external results of searches, in the background, and any URL that `fetch_content` is given; 0 does not. Default: 1 for `mcp`, 0 for `serve`.',
    ),
  GLEANER_LOG: z
    .enum(logLevels, `must be one of ${logLevels.join(', ')}`)
    .default('warn')
    .describe(
      `How much is logged on stderr: ${logLevels.join(', ')}. At info, every HTTP request. \`serve\` and \`mcp\` write lines of JSON, other commands sentences (--quiet, --verbose).`,
    ),
  GLEANER_LOG_QUERIES: flag
    .default(false)
    .describe('1 includes the queries of searches in the request log. By default they are left out.'),
  GLEANER_MAPPED_INDEX: flag
    .default(true)
    .describe(
      '0 reads the whole index into the memory of each process. By default large files of it are mapped, so that processes share them.',
    ),
  GLEANER_CORS_ORIGINS: origins
    .optional()
    .describe(
      'Origins of web pages that may read the HTTP API: `*` for all, `none`, or some with commas between. Default: `none` when `serve` listens on loopback, else `*`. `/mcp` is open to those that are named here, and to those of this machine.',
    ),
  GLEANER_TOOLS: toolList
    .prefault(defaultToolNames.join(','))
    .describe(
      `Tools that MCP clients see, with commas between: ${toolNames.join(', ')}. The last two are what ChatGPT and deep research ask for; \`serve\` has them at \`/mcp/connector\` in any case.`,
    ),
  ...clusterSettings,
  ...externalSettings,
} as const;

const Settings = z.object(settings);

export interface Config {
  readonly host: string;
  readonly port: number;
  /** Processes that answer; 1 for a single process that does all. */
  readonly workers: number;
  readonly dataFolder: string;
  /** Whether a setting or an option names the data folder. */
  readonly isDataFolderNamed: boolean;
  /** Names under which clients may reach the service. */
  readonly hosts: '*' | readonly string[];
  readonly trustedProxies: TrustedProxies;
  readonly proxyHeader: ForwardingHeader;
  readonly limits: {
    readonly search: Rate | 'off';
    readonly content: Rate | 'off';
    readonly fallback: Rate | 'off';
    readonly inFlight: number;
    readonly maxInFlight: number;
  };
  readonly metrics: z.infer<(typeof settings)['GLEANER_METRICS']>;
  readonly allowPrivate: boolean;
  readonly recrawl: boolean;
  readonly contact: string | undefined;
  /** Undefined where it is for the command to say. */
  readonly learn: boolean | undefined;
  readonly logLevel: z.infer<(typeof settings)['GLEANER_LOG']>;
  readonly logQueries: boolean;
  /** Whether large segments of the index are mapped into memory, not read. */
  readonly mappedIndex: boolean;
  /** Origins of web pages whose scripts may read answers over HTTP. */
  readonly origins: '*' | readonly string[];
  /** Tools that MCP clients see. */
  readonly tools: readonly ToolName[];
  readonly external: ExternalConfig;
  /** The cluster that has the index; undefined for the embedded index. */
  readonly cluster: ClusterConfig | undefined;
  /** Whether commands leave out progress and notes. */
  readonly quiet: boolean;
  /** Whether commands set words off by colors: `auto` where they write to a terminal. */
  readonly color: 'auto' | 'always' | 'never';
  /** Whether the terminal takes no escape sequences at all (`TERM=dumb`). */
  readonly isDumbTerminal: boolean;
  /** What is probably a mistake in the settings and stops nothing: a sentence each. */
  readonly warnings: readonly string[];
}

/** Options of the command line by the setting that they override. */
export type Overrides = { readonly [Name in keyof typeof settings]?: string | undefined };

/**
 * Reads the settings: the command line before the environment before the file before the defaults. Throws a
 * `ServiceError` (`invalid_parameters`) that names every setting that is wrong, never its value.
 */
export function readConfig(
  environment: NodeJS.ProcessEnv,
  overrides: Overrides = {},
  file?: string,
  quiet = false,
): Config {
  const names = Object.keys(settings) as (keyof typeof settings)[];
  const filed = file === undefined ? {} : readSettingsFile(file, names);
  const given: Record<string, string> = {};
  for (const name of names) {
    const value = overrides[name] ?? (fromEnvironment(environment, name) || filed[name]);
    // What was meant for a folder of its own must not go into the default one.
    const isEmptyFolder = name === 'GLEANER_DATA' && (value ?? environment[name]) === '';
    if (isEmptyFolder) throw new ServiceError('invalid_parameters', emptyFolderMessage);
    if (value !== undefined && value !== '') given[name] = value;
  }
  const read = Settings.safeParse(given);
  if (!read.success) {
    const wrong = read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new ServiceError('invalid_parameters', wrong.join('; '));
  }
  const { data } = read;
  const external = readExternal(data);
  const { cluster, wrong: wrongOfCluster } = readCluster(data);
  const wrongOfBoth = [...external.wrong, ...wrongOfCluster];
  if (wrongOfBoth.length > 0) {
    const wrong = wrongOfBoth.map(({ setting, message }) => `${setting}: ${message}`);
    throw new ServiceError('invalid_parameters', wrong.join('; '));
  }
  return Object.freeze({
    host: data.GLEANER_HOST,
    port: data.GLEANER_PORT,
    workers: data.GLEANER_WORKERS,
    isDataFolderNamed: data.GLEANER_DATA !== undefined,
    dataFolder: resolve(data.GLEANER_DATA ?? platformDataFolder(process.platform, environment)),
    hosts: data.GLEANER_HOSTS ?? [],
    trustedProxies: data.GLEANER_TRUST_PROXY ?? noProxies,
    proxyHeader: data.GLEANER_PROXY_HEADER,
    limits: {
      search: data.GLEANER_SEARCH_LIMIT,
      content: data.GLEANER_CONTENT_LIMIT,
      fallback: data.GLEANER_FALLBACK_LIMIT,
      inFlight: data.GLEANER_IN_FLIGHT_LIMIT,
      maxInFlight: data.GLEANER_MAX_IN_FLIGHT,
    },
    metrics: data.GLEANER_METRICS,
    allowPrivate: data.GLEANER_ALLOW_PRIVATE,
    recrawl: data.GLEANER_RECRAWL,
    contact: data.GLEANER_CONTACT,
    learn: data.GLEANER_LEARN,
    logLevel: data.GLEANER_LOG,
    logQueries: data.GLEANER_LOG_QUERIES,
    mappedIndex: data.GLEANER_MAPPED_INDEX,
    origins: data.GLEANER_CORS_ORIGINS ?? (isLoopback(data.GLEANER_HOST) ? [] : '*'),
    tools: data.GLEANER_TOOLS,
    external: external.config,
    cluster,
    quiet,
    color: colorOf(environment),
    isDumbTerminal: environment.TERM === 'dumb',
    warnings: unknownSettings(environment, names),
  });
}

const emptyFolderMessage =
  'GLEANER_DATA: must not be empty (--data): name a folder, or leave it out for the default';

/** By the conventions of force-color.org and no-color.org; the first comes before the second, as in Node. */
function colorOf({ FORCE_COLOR, NO_COLOR, TERM }: NodeJS.ProcessEnv): Config['color'] {
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '')
    return FORCE_COLOR === '0' || FORCE_COLOR === 'false' ? 'never' : 'always';
  return (NO_COLOR !== undefined && NO_COLOR !== '') || TERM === 'dumb' ? 'never' : 'auto';
}

/** Proxies are set in lower case by many, which is then what counts, as for curl. */
function fromEnvironment(environment: NodeJS.ProcessEnv, name: string): string | undefined {
  return (
    (/^(?:HTTPS?|NO)_PROXY$/.test(name) ? environment[name.toLowerCase()] : undefined) ?? environment[name]
  );
}
