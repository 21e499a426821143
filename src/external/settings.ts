import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Proxies } from '../runtime.ts';
import {
  defineSetting,
  type Setting,
  type SettingError,
  type SettingValues,
  wholeNumber,
} from '../setting.ts';
import {
  type KeySetting,
  type ProviderName,
  providerFacts,
  providerNames,
  type UrlSetting,
} from './provider-facts.ts';
import { createSecret, type Secret } from './secret.ts';

const secretMessage = 'must be printable ASCII without spaces';
const secret = () =>
  z
    .string()
    .trim()
    .regex(/^[\x21-\x7e]{1,512}$/, secretMessage);

const webAddress = () =>
  z.string().refine(isWebAddress, 'must be an http or https address, e.g. http://127.0.0.1:8888');

const proxy = () =>
  z
    .string()
    .transform((value) => (value.includes('://') ? value : `http://${value}`))
    .refine(
      (value) => URL.canParse(value) && /^(?:https?|socks5):/.test(value),
      'must be the address of a proxy',
    );

/** Two settings per key: the key itself, and a file that contains it. */
const keys = Object.fromEntries(
  providerNames.flatMap((name) => {
    const { keySetting, title, needs } = providerFacts[name];
    if (keySetting === undefined) return [];
    const use = needs === 'key' ? `which turns ${title} on` : `which ${title} can do without`;
    return [
      [keySetting, defineSetting(`Key of ${title}, ${use}.`, secret)],
      [`${keySetting}_FILE`, defineSetting('File that holds it.', () => z.string())],
    ];
  }),
) as Record<KeySetting | `${KeySetting}_FILE`, Setting<string | undefined>>;

/** The settings of external search, by environment variable. */
export const externalSettings = {
  GLEANER_EXTERNAL: defineSetting(
    'Which services are asked when the index has too little: their names with commas between them, or off. Default: those that work without a key, and those that a key or an address is set for.',
    () =>
      z
        .string()
        .transform((value) => value.split(',').map((name) => name.trim().toLowerCase()))
        .refine(
          (names) =>
            isOff(names) || names.every((name) => (providerNames as readonly string[]).includes(name)),
          `must be off, or some of ${providerNames.join(', ')} with commas between them`,
        ),
  ),
  GLEANER_EXTERNAL_DEADLINE_MS: defineSetting(
    'How long a search waits for them, in milliseconds.',
    () => wholeNumber({ min: 100, max: 30_000 }, 'must be a whole number of milliseconds from 100 to 30000'),
    2500,
  ),
  GLEANER_SEARXNG_URL: defineSetting(
    'Address of your SearXNG, which turns it on; may hold user:password.',
    webAddress,
  ),
  GLEANER_PEER_URL: defineSetting('Address of another Gleaner, which turns it on.', webAddress),
  GLEANER_MEDIAWIKI_URL: defineSetting(
    "Address of a wiki's `api.php`, which turns it on; may hold user:password.",
    webAddress,
  ),
  ...keys,
  HTTPS_PROXY: defineSetting('Proxy for requests to https addresses of these services.', proxy),
  HTTP_PROXY: defineSetting('The same for http; without HTTPS_PROXY for both.', proxy),
  NO_PROXY: defineSetting('Hosts with commas between them that are reached without a proxy.', () =>
    z.string(),
  ),
} as const;

type ExternalSettings = SettingValues<typeof externalSettings>;

/** The configuration of external search. Every value that is or may contain a secret is a `Secret`. */
export interface ExternalConfig {
  /** Providers that are on, in the order of preference; empty for off. */
  readonly providers: readonly ProviderName[];
  readonly keys: Readonly<Partial<Record<ProviderName, Secret>>>;
  readonly urls: Readonly<Partial<Record<ProviderName, Secret>>>;
  readonly deadlineMs: number;
  readonly proxies: Readonly<Record<keyof Proxies, Secret>>;
}

/** Builds the configuration from the settings, with keys from their files. `wrong` lists settings that cannot work. */
export function readExternal(settings: ExternalSettings): { config: ExternalConfig; wrong: SettingError[] } {
  const wrong: SettingError[] = [];
  const providerKeys = new Map<ProviderName, Secret>();
  const urls = new Map<ProviderName, Secret>();
  for (const name of providerNames) {
    const { keySetting, urlSetting } = providerFacts[name];
    const key =
      keySetting && (settings[keySetting] ?? keyFromFile(keySetting, settings[`${keySetting}_FILE`], wrong));
    if (key !== undefined) providerKeys.set(name, createSecret(key));
    const url = urlSetting && settings[urlSetting];
    if (url !== undefined) urls.set(name, createSecret(url));
  }

  const missing = (name: ProviderName): KeySetting | UrlSetting | undefined => {
    const { needs, keySetting, urlSetting } = providerFacts[name];
    if (needs === 'key' && !providerKeys.has(name)) return keySetting;
    return needs === 'url' && !urls.has(name) ? urlSetting : undefined;
  };
  const wanted = settings.GLEANER_EXTERNAL;
  let providers: ProviderName[];
  if (wanted === undefined) {
    providers = providerNames.filter(
      (name) => !missing(name) && (providerFacts[name].byDefault || providerKeys.has(name) || urls.has(name)),
    );
  } else {
    providers = isOff(wanted) ? [] : [...new Set(wanted as ProviderName[])];
    for (const name of providers) {
      const setting = missing(name);
      // An unreadable key file is in `wrong` already.
      if (setting && !wrong.some((error) => error.setting.startsWith(setting)))
        wrong.push({ setting: 'GLEANER_EXTERNAL', message: `${name} needs ${setting}` });
    }
  }
  const { HTTP_PROXY = '', HTTPS_PROXY = '', NO_PROXY = '' } = settings;
  const proxies = {
    http: createSecret(HTTP_PROXY),
    https: createSecret(HTTPS_PROXY),
    none: createSecret(NO_PROXY),
  };
  const config = {
    providers,
    keys: Object.fromEntries(providerKeys),
    urls: Object.fromEntries(urls),
    deadlineMs: settings.GLEANER_EXTERNAL_DEADLINE_MS,
    proxies,
  };
  return { config, wrong };
}

function keyFromFile(name: KeySetting, file: string | undefined, wrong: SettingError[]): string | undefined {
  if (file === undefined) return undefined;
  const setting = `${name}_FILE`;
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch {
    wrong.push({ setting, message: 'names a file that cannot be read' });
    return undefined;
  }
  const key = secret().safeParse(content);
  if (key.success) return key.data;
  wrong.push({ setting, message: `names a file that holds no key: it ${secretMessage}` });
  return undefined;
}

function isOff(names: readonly string[]): boolean {
  return names.length === 1 && names[0] === 'off';
}

function isWebAddress(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}
