import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { ProviderHealthRecorder } from '../external/provider-health.ts';
import type { ObserveProvider, ProviderPool } from '../external/provider-pool.ts';
import type { Clock, Log } from '../runtime.ts';
import { userAgent } from './about.ts';

/** The file of a data folder with the health of its external providers. */
export function providerHealthFile(dataFolder: string): string {
  return join(dataFolder, 'external.json');
}

export interface ProvidersParts {
  readonly config: Pick<Config, 'external' | 'dataFolder' | 'contact'>;
  readonly log: Log;
  readonly now: Clock;
  /** Called after every request that was really sent. */
  readonly onProviderState?: ObserveProvider | undefined;
}

/** The external providers that the settings turn on, with a record of their health. */
export interface Providers {
  /** Loads and creates the pool. Undefined if none is turned on. */
  readonly openPool: (() => Promise<ProviderPool>) | undefined;
  /** By provider: `ok`, `not asked yet` or the failure, as far as this process knows. */
  states(): Record<string, string>;
}

export function createProviders({ config, log, now, onProviderState }: ProvidersParts): Providers {
  const { external, contact, dataFolder } = config;
  let recorder: ProviderHealthRecorder | undefined;
  const openPool = async (): Promise<ProviderPool> => {
    const [{ openProviderPool }, { createProviderHealthRecorder }] = await Promise.all([
      import('../external/create-providers.ts'),
      import('../external/provider-health.ts'),
    ]);
    const opened = createProviderHealthRecorder({ file: providerHealthFile(dataFolder), now, log });
    const observe: ObserveProvider = (...state) => {
      opened.observe(...state);
      onProviderState?.(...state);
    };
    const pool = openProviderPool({ config: external, userAgent: userAgent(contact), log, now, observe });
    recorder = opened;
    return {
      ...pool,
      close: async () => {
        await pool.close();
        await opened.close();
      },
    };
  };

  return {
    openPool: external.providers.length > 0 ? openPool : undefined,
    states: () => {
      const entries = recorder?.entries() ?? {};
      return Object.fromEntries(
        external.providers.map((name) => {
          const entry = entries[name];
          return [name, entry ? (entry.failure?.message ?? 'ok') : 'not asked yet'];
        }),
      );
    },
  };
}
