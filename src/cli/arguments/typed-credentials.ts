import { named, readCookies } from '../../app/credentials-file.ts';
import type { CredentialRule, CredentialScope } from '../../crawl/credentials/credentials.ts';
import { parseHeaderLine, type SecretSource } from '../../crawl/credentials/header-line.ts';
import { folderOf } from '../../crawl/url/url-scope.ts';

/** The options by which credentials are given for one run. */
export interface CredentialFlags {
  readonly header?: readonly string[];
  readonly cookieFile?: readonly string[];
}

/**
 * The rules of `--header` and `--cookie-file` for the sites of these URLs: their origins, or with `samePath` their folders
 * alone. Throws a `ServiceError` (`invalid_parameters`) that names the option and never a value.
 */
export function typedCredentials(
  { header = [], cookieFile = [] }: CredentialFlags,
  {
    urls,
    samePath = false,
    variable,
  }: {
    readonly urls: readonly string[];
    readonly samePath?: boolean | undefined;
    /** The value of an environment variable. */
    readonly variable: SecretSource['variable'];
  },
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
