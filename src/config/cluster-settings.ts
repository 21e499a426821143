import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { createSecret, type Secret } from '../external/secret.ts';
import { defineSetting, type SettingError, type SettingValues, wholeNumber } from '../setting.ts';
import { type HostPart, hostBuckets } from '../store/host/host-part.ts';

const urlsMessage =
  'must be http or https addresses of nodes with commas between, e.g. https://10.0.0.1:9200';

function nodeUrls(list: string, context: z.RefinementCtx): string[] {
  const named = list.split(',').map((url) => url.trim().replace(/\/+$/, ''));
  const isNode = (url: string) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  const hasUser = (url: string) => new URL(url).username !== '';
  if (!named.every(isNode)) context.addIssue(urlsMessage);
  else if (named.some(hasUser))
    context.addIssue('must have no user: OPENSEARCH_USER and OPENSEARCH_PASSWORD are for that');
  return named;
}

const numberUpTo = (max: number) => wholeNumber({ max, digits: 4 }, `must be a whole number up to ${max}`);

const partMessage = 'must be a number and how many there are, such as 1/2, of at most 256';

/** The settings of the index, by environment variable. */
export const clusterSettings = {
  GLEANER_INDEX: defineSetting(
    'Where the index is: `embedded` in the data folder, or `opensearch` in a cluster.',
    () => z.enum(['embedded', 'opensearch'], 'must be embedded or opensearch'),
    'embedded',
  ),
  OPENSEARCH_URL: defineSetting('Addresses of the nodes of the cluster, with commas between.', () =>
    z.string().transform(nodeUrls),
  ),
  OPENSEARCH_USER: defineSetting('User of the cluster.', () => z.string().min(1)),
  OPENSEARCH_PASSWORD: defineSetting('Password of this user.', () => z.string().min(1)),
  OPENSEARCH_PASSWORD_FILE: defineSetting('File that holds it.', () => z.string()),
  OPENSEARCH_API_KEY: defineSetting('API key of the cluster, instead of user and password.', () =>
    z.string().min(1),
  ),
  OPENSEARCH_API_KEY_FILE: defineSetting('File that holds it.', () => z.string()),
  OPENSEARCH_CA_FILE: defineSetting(
    'File of the certificates (PEM) that nodes are checked with, instead of those of Node.',
    () => z.string(),
  ),
  OPENSEARCH_PREFIX: defineSetting(
    'Beginning of the names of all indexes in the cluster. Each data folder needs one of its own, or GLEANER_PART.',
    () => z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'must be lower case letters, digits, - and _'),
    'gleaner-',
  ),
  OPENSEARCH_SHARDS: defineSetting(
    'Shards of the index; a change takes effect with its next generation (`gleaner index build`).',
    () => numberUpTo(1024).refine((shards) => shards > 0, 'must be at least 1'),
    3,
  ),
  OPENSEARCH_REPLICAS: defineSetting(
    'Copies of each shard besides the first; fewer where the cluster has too few nodes.',
    () => numberUpTo(20),
    1,
  ),
  GLEANER_PART: defineSetting(
    'Which of several machines that crawl this is, such as `1/2`; each has the hosts that a hash gives it.',
    () =>
      z
        .string()
        .regex(/^\d{1,3}\/\d{1,3}$/, partMessage)
        .transform((text) => {
          const [number = 0, of = 0] = text.split('/').map(Number);
          return { number, of };
        })
        .refine(({ number, of }) => number >= 1 && number <= of && of <= hostBuckets, partMessage),
  ),
} as const;

type ClusterSettings = SettingValues<typeof clusterSettings>;

/** The cluster that has the index. Secrets are shown by no log. */
export interface ClusterConfig {
  readonly urls: readonly string[];
  readonly auth:
    | { readonly kind: 'password'; readonly user: string; readonly password: Secret }
    | { readonly kind: 'api key'; readonly key: Secret }
    | undefined;
  /** PEM. */
  readonly ca: string | undefined;
  readonly prefix: string;
  readonly shards: number;
  readonly replicas: number;
  /** The hosts of this machine, where several crawl; without it, all. */
  readonly part?: HostPart | undefined;
}

/** The cluster of the settings; undefined for the embedded index. `wrong` lists settings that cannot work. */
export function readCluster(settings: ClusterSettings): {
  readonly cluster: ClusterConfig | undefined;
  readonly wrong: readonly SettingError[];
} {
  const wrong: SettingError[] = [];
  const { GLEANER_PART: part } = settings;
  if (settings.GLEANER_INDEX === 'embedded') {
    if (part) wrong.push({ setting: 'GLEANER_PART', message: 'needs GLEANER_INDEX=opensearch' });
    return { cluster: undefined, wrong };
  }
  const { OPENSEARCH_URL: urls = [], OPENSEARCH_USER: user } = settings;
  if (urls.length === 0) wrong.push({ setting: 'GLEANER_INDEX', message: 'opensearch needs OPENSEARCH_URL' });
  const password =
    settings.OPENSEARCH_PASSWORD ??
    contentOf('OPENSEARCH_PASSWORD_FILE', settings.OPENSEARCH_PASSWORD_FILE, wrong);
  const key =
    settings.OPENSEARCH_API_KEY ??
    contentOf('OPENSEARCH_API_KEY_FILE', settings.OPENSEARCH_API_KEY_FILE, wrong);
  if ((user === undefined) !== (password === undefined))
    wrong.push({ setting: 'OPENSEARCH_USER', message: 'needs OPENSEARCH_PASSWORD, and that needs a user' });
  if (user !== undefined && key !== undefined)
    wrong.push({ setting: 'OPENSEARCH_API_KEY', message: 'stands instead of a user: give one of them' });
  const ca = contentOf('OPENSEARCH_CA_FILE', settings.OPENSEARCH_CA_FILE, wrong);
  const auth =
    key !== undefined
      ? ({ kind: 'api key', key: createSecret(key) } as const)
      : user !== undefined && password !== undefined
        ? ({ kind: 'password', user, password: createSecret(password) } as const)
        : undefined;
  const { OPENSEARCH_PREFIX: prefix, OPENSEARCH_SHARDS: shards, OPENSEARCH_REPLICAS: replicas } = settings;
  return { cluster: { urls, auth, ca, prefix, shards, replicas, part }, wrong };
}

function contentOf(setting: string, file: string | undefined, wrong: SettingError[]): string | undefined {
  if (file === undefined) return undefined;
  try {
    const content = readFileSync(file, 'utf8').trim();
    if (content !== '') return content;
    wrong.push({ setting, message: 'names a file that is empty' });
  } catch {
    wrong.push({ setting, message: 'names a file that cannot be read' });
  }
  return undefined;
}
