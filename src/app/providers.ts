import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { LedgerKeeper } from '../external/provider-health.ts';
import type { Observe } from '../external/provider-pool.ts';
import type { Asker } from '../external/search-provider.ts';
import type { Clock, Log } from '../runtime.ts';
import { userAgent } from './about.ts';

/** Where a data folder notes how the services fare that are asked for results. */
export function ledgerFileOf(dataFolder: string): string {
  return join(dataFolder, 'external.json');
}

export interface ProvidersParts {
  readonly config: Pick<Config, 'external' | 'dataFolder' | 'contact'>;
  readonly log: Log;
  readonly now: Clock;
  /** Told, too, of every question that was really asked. */
  readonly onAsked?: Observe | undefined;
}

/** The services that the settings turn on, with a note of how each fares. */
export interface Providers {
  /** Makes the asker, with its code, when there is first something to ask. */
  openAsker(): Promise<Asker>;
  /** By name, `ok`, `not asked yet` or what went wrong, as far as this process knows. */
  states(): Record<string, string>;
}

export function createProviders({ config, log, now, onAsked }: ProvidersParts): Providers {
  const { external, contact, dataFolder } = config;
  let ledger: LedgerKeeper | undefined;
  return {
    openAsker: async () => {
      const [{ openAsker }, { createLedger }] = await Promise.all([
        import('../external/create-providers.ts'),
        import('../external/provider-health.ts'),
      ]);
      const keeper = createLedger({ file: ledgerFileOf(dataFolder), now, log });
      const observe: Observe = (...asked) => {
        keeper.observe(...asked);
        onAsked?.(...asked);
      };
      const asker = openAsker({ config: external, userAgent: userAgent(contact), log, now, observe });
      ledger = keeper;
      return {
        ...asker,
        close: async () => {
          await asker.close();
          await keeper.close();
        },
      };
    },
    states: () => {
      const entries = ledger?.entries() ?? {};
      return Object.fromEntries(
        external.providers.map((name) => {
          const entry = entries[name];
          return [name, entry ? (entry.failure?.message ?? 'ok') : 'not asked yet'];
        }),
      );
    },
  };
}
