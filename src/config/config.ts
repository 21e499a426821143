import { resolve } from 'node:path';
import { z } from 'zod';
import { defaultToolNames, type ToolName, toolNames } from '../../tools/tool-names.ts';
import { ServiceError } from '../contract/errors.ts';
import type { PrivateAccess } from '../crawl/fetch/address-guard.ts';
import { type ExternalConfig, externalSettings, readExternal } from '../external/settings.ts';
import { type ForwardingHeader, forwardingHeaders } from '../limits/forwarded.ts';
import type { Rate } from '../limits/gcra.ts';
import { isLoopback } from '../limits/loopback.ts';
import { noProxies, type TrustedProxies } from '../limits/trusted-proxies.ts';
import { defineSetting, readSettings, type SettingError, type SettingValues } from '../setting.ts';
import { type ClusterConfig, clusterSettings, readCluster } from './cluster-settings.ts';
import { crawlSettings } from './crawl-settings.ts';
import { platformDataFolder } from './platform-data-folder.ts';
import { type RenderConfig, readRender, renderSettings } from './render-settings.ts';
import {
  type AccessConfig,
  accessSettings,
  defaultSearchThreads,
  flag,
  hosts,
  inFlight,
  logLevels,
  origins,
  port,
  rateSetting,
  readAccess,
  searchThreads,
  toolList,
  trustedProxies,
  workers,
} from './setting-values.ts';
import { readSettingsFile, unknownSettings } from './settings-file.ts';

/** Every setting, by the environment variable that sets it. */
export const settings = {
  GLEANER_HOST: defineSetting('Address that `serve` listens on.', () => z.string().min(1), '127.0.0.1'),
  GLEANER_PORT: defineSetting('Port that `serve` listens on; 0 takes a free one.', port, 8080),
  GLEANER_WORKERS: defineSetting(
    'Number of processes that answer in `serve`, for as many cores; all share the packed index. With 2 or more, one further process writes, and one keeps the limits.',
    workers,
    1,
  ),
  GLEANER_SEARCH_THREADS: defineSetting(
    'Maximum number of threads that share the work of dear searches in each process of `serve`, such as an OR of many common words over hundreds of thousands of pages. They start when they are needed, and end after a minute without such a search. Default: what the cores allow, at most 3.',
    searchThreads,
  ),
  GLEANER_DATA: defineSetting(
    "Data folder. Default: `gleaner` in the platform's folder for application data.",
    () => z.string().min(1),
  ),
  GLEANER_ADMIN: defineSetting(
    'Whether `/admin` starts and stops crawls, imports, removes and makes keys: with the token that `serve` prints on loopback, and with keys of scope admin anywhere.',
    () => z.enum(['off', 'on'], 'must be on or off'),
    'off',
  ),
  GLEANER_PAGES: defineSetting(
    'Whether there are pages for people: search, reader, status.',
    () => z.enum(['on', 'off'], 'must be on or off'),
    'on',
  ),
  GLEANER_HOSTS: defineSetting(
    'Host names under which clients may reach the service: names with commas between, or `*` for any. On loopback it knows loopback names besides, and what `GLEANER_TRUST_PROXY` passes on; elsewhere localhost and IP addresses, and without this setting `/mcp` alone is checked.',
    hosts,
  ),
  GLEANER_TRUST_PROXY: defineSetting(
    'Proxies that are trusted to report client addresses: addresses and CIDRs, separated by commas, or the number of proxies in front of the service. Default: none.',
    trustedProxies,
  ),
  GLEANER_PROXY_HEADER: defineSetting(
    'The header that these proxies set: `x-forwarded-for` or `forwarded`. The other one is not read.',
    () => z.string().toLowerCase().pipe(z.enum(forwardingHeaders, 'must be X-Forwarded-For or Forwarded')),
    'x-forwarded-for',
  ),
  GLEANER_SEARCH_LIMIT: rateSetting(
    'Rate limit of searches for one client over HTTP: per minute / at once, or `off`.',
    '60/20',
  ),
  GLEANER_CONTENT_LIMIT: rateSetting('Rate limit of pages read by one client, in the same form.', '120/40'),
  GLEANER_FALLBACK_LIMIT: rateSetting(
    'Rate limit of searches of one client that query external providers, in the same form. Above it, answers are local.',
    '10/5',
  ),
  GLEANER_IN_FLIGHT_LIMIT: defineSetting('Maximum number of requests of one client in flight.', inFlight, 4),
  GLEANER_MAX_IN_FLIGHT: defineSetting(
    'Maximum number of requests of all clients in flight. Further ones are rejected with 503.',
    inFlight,
    256,
  ),
  GLEANER_METRICS: defineSetting(
    'Who may read `/metrics`, `/status` and `/api/v1/status`: `private` addresses that come through no proxy, the `public`, or no one (`off`).',
    () => z.enum(['private', 'public', 'off'], 'must be private, public or off'),
    'private',
  ),
  ...crawlSettings,
  GLEANER_LOG: defineSetting(
    `How much is logged on stderr: ${logLevels.join(', ')}. At info, every HTTP request. \`serve\` and \`mcp\` write lines of JSON, other commands sentences (--quiet, --verbose).`,
    () => z.enum(logLevels, `must be one of ${logLevels.join(', ')}`),
    'warn',
  ),
  GLEANER_LOG_QUERIES: defineSetting(
    '1 includes the queries of searches in the request log. By default they are left out.',
    flag,
    false,
  ),
  GLEANER_MAPPED_INDEX: defineSetting(
    '0 reads the whole index into the memory of each process. By default large files of it are mapped, so that processes share them.',
    flag,
    true,
  ),
  GLEANER_CORS_ORIGINS: defineSetting(
    'Origins of web pages that may read the HTTP API: `*` for all, `none`, or some with commas between. Default: `none` when `serve` listens on loopback, else `*`. `/mcp` is open to those that are named here, and to those of this machine.',
    origins,
  ),
  GLEANER_TOOLS: defineSetting(
    `Tools that MCP clients see, with commas between: ${toolNames.join(', ')}. \`search\` and \`fetch\` are what ChatGPT and deep research ask for; \`serve\` has them at \`/mcp/connector\` in any case. \`crawl_site\` lets agents add pages of a site to the index.`,
    toolList,
    defaultToolNames,
  ),
  ...accessSettings,
  ...renderSettings,
  ...clusterSettings,
  ...externalSettings,
} as const;

export interface Config extends AccessConfig, RenderConfig {
  readonly host: string;
  readonly port: number;
  /** Processes that answer; 1 for a single process that does all. */
  readonly workers: number;
  /** Threads in each process of `serve` that share the work of dear searches. */
  readonly searchThreads: number;
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
  readonly metrics: SettingValues<typeof settings>['GLEANER_METRICS'];
  readonly allowPrivate: PrivateAccess;
  /** The file of rules for domains. */
  readonly domainsFile: string | undefined;
  /** The file of credentials for private sites, and how to read the variables that it names. */
  readonly credentials: {
    readonly file: string | undefined;
    readonly variable: (name: string) => string | undefined;
  };
  readonly recrawl: boolean;
  readonly contact: string | undefined;
  /** Undefined where it is for the command to say. */
  readonly learn: boolean | undefined;
  readonly logLevel: SettingValues<typeof settings>['GLEANER_LOG'];
  readonly logQueries: boolean;
  /** Whether large segments of the index are mapped into memory, not read. */
  readonly mappedIndex: boolean;
  /** Origins of web pages whose scripts may read answers over HTTP. */
  readonly origins: '*' | readonly string[];
  /** Tools that MCP clients see. */
  readonly tools: readonly ToolName[];
  /** Whether things can be done from `/admin`. */
  readonly admin: boolean;
  /** Whether there are pages for people. */
  readonly pages: boolean;
  /** What another command of this program needs for the same settings. It may hold secrets. */
  readonly forOthers: () => { readonly file: string | undefined; readonly environment: NodeJS.ProcessEnv };
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
  const { values: data, wrong } = readSettings(settings, given);
  refuseWrong(wrong);
  const external = readExternal(data);
  const { cluster, wrong: wrongOfCluster } = readCluster(data);
  const access = readAccess(data);
  refuseWrong([...external.wrong, ...wrongOfCluster, ...access.wrong]);
  return Object.freeze({
    host: data.GLEANER_HOST,
    port: data.GLEANER_PORT,
    workers: data.GLEANER_WORKERS,
    searchThreads: data.GLEANER_SEARCH_THREADS ?? defaultSearchThreads(data.GLEANER_WORKERS),
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
    ...readRender(data, environment),
    domainsFile: data.GLEANER_DOMAINS,
    // The variables are read when they are needed, so that no value of them is kept here.
    credentials: { file: data.GLEANER_CREDENTIALS, variable: (name: string) => environment[name] },
    recrawl: data.GLEANER_RECRAWL,
    contact: data.GLEANER_CONTACT,
    learn: data.GLEANER_LEARN,
    logLevel: data.GLEANER_LOG,
    logQueries: data.GLEANER_LOG_QUERIES,
    mappedIndex: data.GLEANER_MAPPED_INDEX,
    origins: data.GLEANER_CORS_ORIGINS ?? (isLoopback(data.GLEANER_HOST) ? [] : '*'),
    tools: data.GLEANER_TOOLS,
    admin: data.GLEANER_ADMIN === 'on',
    pages: data.GLEANER_PAGES === 'on',
    forOthers: () => ({
      file: file === undefined ? undefined : resolve(file),
      environment: { ...environment, ...definedOf(overrides) },
    }),
    external: external.config,
    cluster,
    ...access.config,
    quiet,
    color: colorOf(environment),
    isDumbTerminal: environment.TERM === 'dumb',
    warnings: unknownSettings(environment, names),
  });
}

function refuseWrong(wrong: readonly SettingError[]): void {
  if (wrong.length === 0) return;
  const messages = wrong.map(({ setting, message }) => `${setting}: ${message}`);
  throw new ServiceError('invalid_parameters', messages.join('; '));
}

function definedOf(overrides: Overrides): Record<string, string> {
  return Object.fromEntries(
    Object.entries(overrides).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
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
