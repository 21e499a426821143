import type { ServerFacts } from '../../tools/server-facts.ts';
import { providerFacts } from '../external/provider-facts.ts';
import type { Config } from './config.ts';

/** What the descriptions of tools say of a server with this configuration. */
export function serverFacts({ external }: Pick<Config, 'external'>, visitsPages: boolean): ServerFacts {
  return { visitsPages, external: external.providers.map((name) => providerFacts[name].title) };
}
