import { BlockList } from 'node:net';
import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { type ToolName, toolNames } from '../../tools/tool-names.ts';
import type { PrivateAccess, PrivateRule } from '../crawl/fetch/address-guard.ts';
import { parseRate, type Rate } from '../limits/gcra.ts';
import { isLoopback } from '../limits/loopback.ts';
import { addRange, parseTrustedProxies } from '../limits/trusted-proxies.ts';
import { defineSetting, type Setting, type SettingValues, wholeNumber } from '../setting.ts';

export const flag = () =>
  z
    .enum(['0', '1', 'true', 'false'], 'must be 1 or 0')
    .transform((value) => value === '1' || value === 'true');

/** A setting whose text is parsed here and nowhere else: what is not understood is an error, never a value. */
function parsed<Value>(parse: (text: string) => Value | undefined, message: string) {
  return z.string().transform((text, context): Value => {
    const value = parse(text);
    if (value !== undefined) return value;
    context.addIssue(message);
    return z.NEVER;
  });
}

const rate = () => parsed(parseRate, 'must be REQUESTS_A_MINUTE/AT_ONCE, e.g. 60/20, or off');

/** A rate limit; its fallback is written as a user would. */
export function rateSetting(about: string, written: string): Setting<Rate | 'off'> {
  return defineSetting(about, rate, parseRate(written) as Rate | 'off', written);
}

export const trustedProxies = () =>
  parsed(parseTrustedProxies, 'must be a number of proxies, or addresses and CIDRs between commas');

export const privateAccess = () =>
  parsed(
    parsePrivateAccess,
    'must be 1 or 0, or hosts, addresses and CIDRs with commas between, each perhaps with a port: wiki.corp, *.corp:8080, 10.0.0.0/8:*, [fd00::/8]:3000',
  );

/** `1`, `0`, or rules between commas; undefined for other text. */
function parsePrivateAccess(text: string): PrivateAccess | undefined {
  if (/^(?:0|1|true|false)$/.test(text)) return text === '1' || text === 'true';
  const rules = text.split(',').map((part) => parsePrivateRule(part.trim().toLowerCase()));
  return rules.every((rule) => rule !== undefined) ? rules : undefined;
}

/** A host or a range, and a port behind a colon; IPv6 with a port stands in brackets. */
function parsePrivateRule(text: string): PrivateRule | undefined {
  const [, bracketed, bare, port = 'web'] =
    /^(?:\[([^\]]+)\]|([^[\]:]+|[\da-f:.]*:[\da-f:.]*:[\da-f:.]*(?:\/\d+)?))(?::(\d{1,5}|\*))?$/.exec(text) ??
    [];
  const target = bracketed ?? bare ?? '';
  if (Number(port) > 65535) return undefined;
  const range = new BlockList();
  if (addRange(range, target)) return { range, port };
  const host = target.replace(/^\*\./, '');
  const isName =
    bracketed === undefined && /^(?!\d+$)[a-z\d_-]+(?:\.[a-z\d_-]+)*$/.test(host) && !/\.\d+$/.test(host);
  return isName && URL.canParse(`http://${host}`)
    ? { host: new URL(`http://${host}`).hostname, hasSubdomains: host !== target, port }
    : undefined;
}

const issuerMessage =
  'must be the issuer of an authorisation server, such as https://login.example.com, with https unless it is on loopback';
const resourceMessage =
  'must be the address of this service as clients know it, such as https://search.example.com';

/** An address without query and fragment; `http` on loopback alone. */
function isServerUrl(text: string): boolean {
  if (!URL.canParse(text) || /[?#]/.test(text)) return false;
  const { protocol, hostname, username } = new URL(text);
  return username === '' && (protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname)));
}

/** Who may use the service. */
export const accessSettings = {
  GLEANER_ACCESS: defineSetting(
    'Who may use `serve`: the `public`, or holders of a key or an access token alone (`keys`). The documentation and the health checks stay open.',
    () => z.enum(['public', 'keys'], 'must be public or keys'),
    'public',
  ),
  GLEANER_PRIVATE_PAGES: defineSetting(
    'The clients to which `serve` shows [private pages](private-sites.md): with `keys`, those that have a key or an access token; with `show`, all; with `hide`, none.',
    () => z.enum(['keys', 'show', 'hide'], 'must be keys, show or hide'),
    'keys',
  ),
  GLEANER_OAUTH_ISSUER: defineSetting(
    'Issuer of the OAuth 2.1 authorisation server whose access tokens (JWTs) are taken as keys.',
    () => z.string().refine(isServerUrl, issuerMessage),
  ),
  GLEANER_OAUTH_RESOURCE: defineSetting(
    'Address of this service as clients know it: the audience that a token must have.',
    () => z.string().refine(isServerUrl, resourceMessage),
  ),
  GLEANER_OAUTH_SCOPE: defineSetting(
    'Scope that a token must have.',
    () => z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/, 'must be one scope'),
    'gleaner',
  ),
  GLEANER_OAUTH_LIMIT: rateSetting('Rate limit of each holder of a token: per minute / at once.', '600/200'),
} as const;

export interface AccessConfig {
  readonly access: 'public' | 'keys';
  /** Who sees pages that were read with credentials. */
  readonly privatePages: 'keys' | 'show' | 'hide';
  /** The authorisation server whose tokens are accepted. */
  readonly oauth:
    | { readonly issuer: string; readonly resource: string; readonly scope: string; readonly rate: Rate }
    | undefined;
}

/** The access, and what is wrong between its settings. */
export function readAccess(data: SettingValues<typeof accessSettings>): {
  readonly config: AccessConfig;
  readonly wrong: { setting: string; message: string }[];
} {
  const { GLEANER_ACCESS: access, GLEANER_OAUTH_ISSUER: issuer, GLEANER_OAUTH_RESOURCE: resource } = data;
  const { GLEANER_OAUTH_SCOPE: scope, GLEANER_OAUTH_LIMIT: tokenRate } = data;
  const { GLEANER_PRIVATE_PAGES: privatePages } = data;
  const config = { access, privatePages, oauth: undefined };
  if (issuer === undefined && resource === undefined) return { config, wrong: [] };
  const wrongOf = (setting: string, message: string) => ({ config, wrong: [{ setting, message }] });
  if (issuer === undefined) return wrongOf('GLEANER_OAUTH_ISSUER', 'is needed with GLEANER_OAUTH_RESOURCE');
  if (resource === undefined) return wrongOf('GLEANER_OAUTH_RESOURCE', 'is needed with GLEANER_OAUTH_ISSUER');
  if (tokenRate === 'off') return wrongOf('GLEANER_OAUTH_LIMIT', 'must be a rate, e.g. 600/200');
  return { config: { ...config, oauth: { issuer, resource, scope, rate: tokenRate } }, wrong: [] };
}

const inFlightMessage = 'must be a whole number from 1 to 999999';
export const inFlight = () =>
  z
    .string()
    .regex(/^[1-9]\d{0,5}$/, inFlightMessage)
    .transform(Number);

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
/** Of processes: a slip such as 4000 would take all memory. */
const maxWorkers = 256;
const workersMessage = `must be a whole number from 1 to ${maxWorkers} (--workers)`;
const portMessage = 'must be a whole number from 0 to 65535 (--port)';

export const workers = () => wholeNumber({ min: 1, max: maxWorkers }, workersMessage);

const maxSearchThreads = 16;
const maxDefaultSearchThreads = 3;
const searchThreadsMessage = `must be a whole number from 0 to ${maxSearchThreads}`;

export const searchThreads = () => wholeNumber({ max: maxSearchThreads }, searchThreadsMessage);

/** One for each core that a process has beside the one on which it answers, at most `maxDefaultSearchThreads`. */
export function defaultSearchThreads(processes: number): number {
  return Math.max(0, Math.min(maxDefaultSearchThreads, Math.floor(availableParallelism() / processes) - 1));
}

export const port = () => wholeNumber({ max: 65_535 }, portMessage);

const originsMessage = 'must be *, none, or origins such as https://app.example.com with commas between';

export const origins = () =>
  z.string().transform((list, context): '*' | string[] => {
    if (list === '*') return '*';
    const named = list === 'none' ? [] : list.split(',').map((origin) => origin.trim());
    const isOrigin = (text: string) => URL.canParse(text) && new URL(text).origin === text;
    if (!named.every(isOrigin)) context.addIssue(originsMessage);
    return named;
  });

const hostsMessage = 'must be *, or host names such as search.example.com with commas between, without ports';

export const hosts = () =>
  z.string().transform((list, context): '*' | string[] => {
    if (list === '*') return '*';
    const named = list.split(',').map((host) => host.trim().toLowerCase());
    const isHost = (text: string) =>
      URL.canParse(`http://${text}`) && new URL(`http://${text}`).host === text;
    if (!named.every(isHost) || named.some((host) => /:\d+$/.test(host))) context.addIssue(hostsMessage);
    return named;
  });

export const toolList = () =>
  parsed(
    (list) => {
      const names = list.split(',').map((name) => name.trim());
      return names.every((name): name is ToolName => (toolNames as readonly string[]).includes(name))
        ? names
        : undefined;
    },
    `must be names of tools with commas between: ${toolNames.join(', ')}`,
  );
