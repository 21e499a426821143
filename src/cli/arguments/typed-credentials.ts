import { liveCredentials, named, readCookies } from '../../app/live/credentials-file.ts';
import type { Config } from '../../config/config.ts';
import type { CredentialRule, CredentialScope, Credentials } from '../../crawl/credentials/credentials.ts';
import { parseHeaderLine } from '../../crawl/credentials/header-line.ts';
import { folderOf } from '../../crawl/url/url-scope.ts';

/** The options by which credentials are given for one run. */
export interface CredentialFlags {
  readonly header?: readonly string[];
  readonly cookieFile?: readonly string[];
}

interface Sites {
  readonly urls: readonly string[];
  /** For their folders alone. */
  readonly samePath?: boolean | undefined;
}

export function hasCredentialFlags({ header, cookieFile }: CredentialFlags): boolean {
  return (header ?? cookieFile) !== undefined;
}

/**
 * The credentials of a command: those of `--header` and `--cookie-file` for the sites of these URLs, then those of
 * `GLEANER_CREDENTIALS`. Throws a `ServiceError` (`invalid_parameters`) that names the option or the line and never a value.
 */
export function commandCredentials(
  flags: CredentialFlags,
  sites: Sites,
  { credentials: config }: Pick<Config, 'credentials'>,
  warn: (message: string) => void,
): Credentials | undefined {
  const first = typedCredentials(flags, sites, config);
  return liveCredentials(config, { now: Date.now, warn, first });
}

function typedCredentials(
  { header = [], cookieFile = [] }: CredentialFlags,
  { urls, samePath = false }: Sites,
  { variable }: Config['credentials'],
): CredentialRule[] {
  const source = { variable, folder: process.cwd() };
  const headers = header.map((line) => named('--header', () => parseHeaderLine(line, source)));
  const cookies = cookieFile.flatMap((file) => named('--cookie-file', () => readCookies(file)));
  return scopesOf(urls, samePath).flatMap((scope) => [
    ...headers.map((each) => ({ ...scope, header: each })),
    ...(cookies.length > 0 ? [{ ...scope, cookies }] : []),
  ]);
}

/** What is no URL is refused by the command itself. */
function scopesOf(urls: readonly string[], samePath: boolean): CredentialScope[] {
  const sites = urls.filter((url) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol));
  const scopes = sites.map((url): CredentialScope => {
    return samePath ? folderOf(new URL(url).href) : { origin: new URL(url).origin, path: '' };
  });
  return [...new Map(scopes.map((scope) => [`${scope.origin}${scope.path}`, scope])).values()];
}
