import { existsSync, readFileSync } from 'node:fs';

/** The folder of package.json: one up from the sources, two up from the build. */
export const packageRoot: URL = ['../../', '../../../']
  .map((up) => new URL(up, import.meta.url))
  .find((folder) => existsSync(new URL('package.json', folder))) as URL;

const manifest = JSON.parse(readFileSync(new URL('package.json', packageRoot), 'utf8')) as {
  version: string;
};

export const version = manifest.version;

/** The User-Agent of our requests to sites and services. */
export function userAgent(contact: string | undefined): string {
  return `Gleaner/${version}${contact ? ` (+${contact})` : ''}`;
}
