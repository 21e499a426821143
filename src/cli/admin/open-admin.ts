import { randomBytes, timingSafeEqual } from 'node:crypto';
import { readDomainRules, saveDomainRules } from '../../app/live/domain-rules-file.ts';
import type { Config } from '../../config/config.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { AdminParts } from '../../http/pages/admin/admin-parts.ts';
import type { ApiKeys } from '../../limits/api-keys.ts';
import { isLoopback } from '../../limits/loopback.ts';
import { createTasks } from './tasks.ts';

export interface Admin {
  readonly parts: AdminParts;
  /** What opens the page on loopback; printed at the start and kept nowhere. */
  readonly token: string | undefined;
  close(): Promise<void>;
}

export interface AdminOptions {
  readonly config: Config;
  readonly apiKeys: ApiKeys;
  readonly isStopping: () => boolean;
}

/**
 * What `/admin` needs; undefined where it is off. Throws `invalid_parameters` where the service is several processes or has no
 * data folder, since one process has to know what runs.
 */
export function openAdmin(
  { config, apiKeys, isStopping }: AdminOptions,
  isFrontEnd: boolean,
): Admin | undefined {
  if (!config.admin) return undefined;
  if (config.workers > 1) throw refused('needs one process: leave GLEANER_WORKERS (--workers) at 1');
  if (isFrontEnd) throw refused('needs a data folder, which a front end of a cluster does not have');
  const token = isLoopback(config.host) ? randomBytes(24).toString('base64url') : undefined;
  const { file, environment } = config.forOthers();
  const tasks = createTasks({
    globals: file === undefined ? [] : ['--config', file],
    environment: { ...environment, GLEANER_DATA: config.dataFolder },
    now: Date.now,
  });
  const isValid = (text: string): boolean => {
    if (token !== undefined && isSame(text, token)) return true;
    const found = apiKeys.find(text);
    return found.kind === 'valid' && found.key.scope === 'admin';
  };
  const rulesFile = config.domainsFile;
  const domainRules =
    rulesFile === undefined
      ? undefined
      : { read: () => readDomainRules(rulesFile), save: (text: string) => saveDomainRules(rulesFile, text) };
  return {
    parts: { domainRules, tasks, keys: { isValid }, hasToken: token !== undefined, isStopping },
    token,
    close: tasks.close,
  };
}

function isSame(text: string, token: string): boolean {
  const [one, other] = [Buffer.from(text), Buffer.from(token)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function refused(why: string): ServiceError {
  return new ServiceError('invalid_parameters', `GLEANER_ADMIN: ${why}`);
}
