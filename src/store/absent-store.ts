import { ServiceError } from '../contract/errors.ts';
import type { PageStore, Table } from './page-store.ts';

/** The tables that a process without a data folder has from elsewhere, by their names. */
export type TablesElsewhere = Readonly<Record<string, Pick<Table<unknown>, 'get'>>>;

/** The store of a process without a data folder: it has no pages, and refuses what would write. */
export function createAbsentStore(tables: TablesElsewhere = {}): PageStore {
  const refuse = (): never => {
    throw new ServiceError('unavailable', 'this service has no data folder: it stores nothing');
  };
  const table = <Value>(name: string): Table<Value> => ({
    entries: () => [],
    count: () => 0,
    get: (key) => tables[name]?.get(key) as Value | undefined,
  });
  return {
    has: () => false,
    head: () => undefined,
    page: () => undefined,
    beginning: () => undefined,
    source: () => undefined,
    pageCount: () => 0,
    heads: () => [],
    ids: () => [],
    damageOf: () => undefined,
    damagedPages: () => 0,
    changesAfter: () => [],
    lastSeq: () => 0,
    epochAt: () => undefined,
    table,
    write: async () => refuse(),
    edit: async () => refuse(),
    yieldWriter: async () => {},
    acquireLock: async () => refuse(),
    health: () => ({ kind: 'ok' }),
    close: async () => {},
  };
}
