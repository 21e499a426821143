import { onTestFinished } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import { createRateLimit } from '../../src/http/rate-limit.ts';
import { createRoutes, type RoutesOptions } from '../../src/http/routes.ts';
import { createAdmissionControl } from '../../src/limits/admission.ts';
import { type ApiKeyRecord, createApiKeys, makeApiKey } from '../../src/limits/api-keys.ts';
import { createClientIdentity } from '../../src/limits/client-identity.ts';
import { noProxies } from '../../src/limits/trusted-proxies.ts';
import type { Page } from '../../src/page.ts';
import { silentLog } from '../../src/runtime.ts';
import { type Said, stubProviderPool } from '../external/stub-provider-pool.ts';
import { openApp } from '../opensearch/open-app.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** The real engine over these pages, beside providers that give these answers. */
export async function openEngine(pages: readonly Page[], says: Record<string, Said> = {}) {
  const pool = stubProviderPool(says);
  const app = openApp({
    config: { dataFolder: temporaryFolder() },
    log: silentLog,
    openPool: async () => pool,
  });
  onTestFinished(() => app.close());
  for (const page of pages) await app.pageWriter.put(page);
  return { engine: app.engine, pool };
}

/** The routes over an engine, without limits unless they are given. */
export function routesOver(engine: Engine, more: Partial<RoutesOptions> = {}) {
  return createRoutes({
    engine,
    log: silentLog,
    version: '1.2.3',
    docs: [],
    readiness: () => ({ notReady: undefined, pages: 1, searchable: 1, providers: {} }),
    origins: '*',
    logQueries: false,
    ...more,
  });
}

/** Limits with a clock that stands still: this many searches and contents, then none. `issue` makes a key. */
export function fixedLimits(search: number, content: number) {
  const records = new Map<string, ApiKeyRecord>();
  const rateLimit = createRateLimit({
    control: createAdmissionControl({
      search: { perMinute: 1, burst: search },
      content: { perMinute: 1, burst: content },
      fallback: { perMinute: 1, burst: 1 },
      inFlight: 4,
      maxInFlight: 64,
      now: () => 1000,
    }),
    clientIdentity: createClientIdentity({
      apiKeys: createApiKeys({ table: records }),
      trustedProxies: noProxies,
      proxyHeader: 'forwarded',
    }),
  });
  const issue = (): string => {
    const { id, text, hash } = makeApiKey();
    const rate = { perMinute: 60, burst: 50 };
    records.set(id, { name: 'team', hash, rate, createdAt: 0, expiresAt: null, revokedAt: null });
    return text;
  };
  return { rateLimit, issue };
}
