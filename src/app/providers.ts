import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { ProviderHealthRecorder } from '../external/provider-health.ts';
import type { ObserveProvider, ProviderPool } from '../external/provider-pool.ts';
import type { Clock, Log } from '../runtime.ts';
import { userAgent } from './about.ts';

/** Where a data folder notes how the services fare that are asked for results. */
export function providerHealthFile(dataFolder: string): string {
  return join(dataFolder, 'external.json');
}

export interface ProvidersParts {
  readonly config: Pick<Config, 'external' | 'dataFolder' | 'contact'>;
  readonly log: Log;
  readonly now: Clock;
  /** Told, too, of every question that was really asked. */
  readonly onProviderState?: ObserveProvider | undefined;
}

/** The services that the settings turn on, with a note of how each fares. */
export interface Providers {
  /** Makes the pool, with its code, when there is first something to ask. */
  openPool(): Promise<ProviderPool>;
  /** By name, `ok`, `not asked yet` or what went wrong, as far as this process knows. */
  states(): Record<string, string>;
}

export function createProviders({ config, log, now, onProviderState }: ProvidersParts): Providers {
  const { external, contact, dataFolder } = config;
  let health: ProviderHealthRecorder | undefined;
  return {
    openPool: async () => {
      const [{ openProviderPool }, { createProviderHealthRecorder }] = await Promise.all([
        import('../external/create-providers.ts'),
        import('../external/provider-health.ts'),
      ]);
      const keeper = createProviderHealthRecorder({ file: providerHealthFile(dataFolder), now, log });
      const observe: ObserveProvider = (...asked) => {
        keeper.observe(...asked);
        onProviderState?.(...asked);
      };
      const pool = openProviderPool({ config: external, userAgent: userAgent(contact), log, now, observe });
      health = keeper;
      return {
        ...pool,
        close: async () => {
          await pool.close();
          await keeper.close();
        },
      };
    },
    states: () => {
      const entries = health?.entries() ?? {};
      return Object.fromEntries(
        external.providers.map((name) => {
          const entry = entries[name];
          return [name, entry ? (entry.failure?.message ?? 'ok') : 'not asked yet'];
        }),
      );
    },
  };
}
