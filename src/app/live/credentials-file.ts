import { dirname, resolve } from 'node:path';
import type { Config } from '../../config/config.ts';
import { ServiceError } from '../../contract/errors.ts';
import { parseCookieFile } from '../../crawl/credentials/cookie-file.ts';
import {
  type CredentialRule,
  type Credentials,
  createCredentials,
} from '../../crawl/credentials/credentials.ts';
import {
  isReference,
  parseHeaderLine,
  readTextFile,
  type SecretSource,
} from '../../crawl/credentials/header-line.ts';
import type { Clock } from '../../runtime.ts';
import { createLiveValue } from './live-value.ts';

/** Where the credentials of the settings are. */
export type CredentialsConfig = Config['credentials'];

/** How often the files are read again, at most. */
const lookMs = 10_000;
const maxRules = 1000;

interface LiveOptions {
  readonly now: Clock;
  readonly warn: (message: string) => void;
  /** Rules that come before those of the file. */
  readonly first?: readonly CredentialRule[];
}

/**
 * The credentials of the file of `GLEANER_CREDENTIALS`, if there is one. What changes in it, and in the files that it names,
 * holds within ten seconds; while something is wrong there, what was read before stays, and `warn` is told why. Throws a
 * `ServiceError` (`invalid_parameters`) that names the line, and never a value, if it is wrong at first.
 */
export function liveCredentials(
  config: CredentialsConfig | undefined,
  { now, warn, first = [] }: LiveOptions,
): Credentials | undefined {
  if (config?.file === undefined) return first.length === 0 ? undefined : createCredentials(() => first, now);
  const rules = createLiveValue({
    read: () => [...first, ...readCredentials(config)],
    lookMs,
    name: 'the credentials',
    now,
    warn,
  });
  return createCredentials(rules, now);
}

/** The rules of the file, with their values; none without one. Throws as `liveCredentials`. */
export function readCredentials(config: CredentialsConfig): CredentialRule[] {
  return named('GLEANER_CREDENTIALS', () => parseFile(config));
}

function parseFile({ file, variable }: CredentialsConfig): CredentialRule[] {
  if (file === undefined) return [];
  const source = { variable, folder: dirname(resolve(file)) };
  const rules: CredentialRule[] = [];
  for (const [index, raw] of readTextFile(file).split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    rules.push(named(`${file}: line ${index + 1}`, () => parseRule(line, source)));
    if (rules.length > maxRules) throw wrong(`${file}: there may be at most ${maxRules} lines`);
  }
  return rules;
}

/** `https://host/path Name: reference`, or `https://host/path cookies: file:PATH`. */
function parseRule(line: string, source: SecretSource): CredentialRule {
  const [, address = '', header = ''] = /^(\S+)\s+(\S.*)$/.exec(line) ?? [];
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '' || url.hash !== '')
    throw wrong(
      'begins with an address such as https://docs.example.com/guide, without a query or a password',
    );
  const scope = { origin: url.origin, path: url.pathname.replace(/\/+$/, '') };
  const [, file] = /^cookies:\s*file:(.+)$/i.exec(header) ?? [];
  if (file !== undefined) return { ...scope, cookies: readCookies(resolve(source.folder, file)) };
  if (!isReference(header))
    throw wrong(
      'after the address comes "Name: env:VARIABLE", "Name: file:PATH" or "cookies: file:PATH": values do not stand in this file',
    );
  return { ...scope, header: parseHeaderLine(header, source) };
}

/** The cookies of a file. Throws `invalid_parameters` that names the file and the line. */
export function readCookies(path: string) {
  return parseCookieFile(readTextFile(path), path);
}

/** Runs `work`; what it throws is named by where it comes from. */
export function named<Result>(where: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw wrong(`${where}: ${(error as Error).message}`);
  }
}

function wrong(message: string): ServiceError {
  return new ServiceError('invalid_parameters', message);
}
