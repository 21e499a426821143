import type { Database, DatabaseOptions } from 'lmdb';
import type { Environment } from './lmdb/environment.ts';
import type { Table } from './page-store.ts';
import { scan } from './scan.ts';

/** A database that is created by the first write, so that readers never need the write lock. */
export interface LazyDatabase<Value> {
  /** The database, once there is one. */
  database(): Database<Value, string> | undefined;
  /** Creates the database; only inside a write transaction. It is not used before `publish`. */
  make(): void;
  /** The transaction of `make` is committed: reads that begin from now on see the database. */
  publish(): void;
}

/** A `Table` that also gives its database to the writer. */
export interface LmdbTable<Value> extends Table<Value>, LazyDatabase<Value> {}

/** A database that was missing is looked for again after this time: each look is as dear as reading several values. */
const lookAgainMs = 50;

export function createLazyDatabase<Value>(
  environment: Environment,
  name: string,
  options: DatabaseOptions = {},
): LazyDatabase<Value> {
  let opened: Database<Value, string> | undefined;
  let made: Database<Value, string> | undefined;
  /** How many databases there were when this one was not among them: looking for one is slow. */
  let missedAmong: number | undefined;
  let missedAt = Number.NEGATIVE_INFINITY;
  return {
    database: () => {
      if (opened || performance.now() - missedAt < lookAgainMs) return opened;
      const count = environment.databaseCount();
      missedAt = performance.now();
      if (count === missedAmong) return undefined;
      opened = environment.find<Value, string>(name, options);
      missedAmong = count;
      return opened;
    },
    make: () => {
      made = environment.make<Value, string>(name, options);
    },
    publish: () => {
      opened ??= made;
    },
  };
}

/**
 * A table is empty until its database is created. `asDamage` turns LMDB's errors for a damaged file into a `ServiceError`.
 */
export function createTable<Value>(
  environment: Environment,
  name: string,
  asDamage: (error: unknown) => unknown,
): LmdbTable<Value> {
  const lazy = createLazyDatabase<Value>(environment, `table:${name}`);
  const { database } = lazy;
  return {
    ...lazy,
    get: (key) => {
      try {
        return database()?.get(key);
      } catch (error) {
        throw asDamage(error);
      }
    },
    *entries({ from, to, limit, reverse = false } = {}) {
      const found = database();
      if (found === undefined) return;
      const [start, end] = reverse ? [to, from] : [from, to];
      const range = {
        reverse,
        ...(start !== undefined && { start }),
        ...(end !== undefined && { end }),
        ...(limit !== undefined && { limit }),
        // Reversed, LMDB would include `to` and exclude `from`, the opposite of what `Table` promises.
        ...(reverse && { exclusiveStart: true, inclusiveEnd: true }),
      };
      try {
        for (const { key, value } of scan(environment.root, found, range)) yield [key, value];
      } catch (error) {
        throw asDamage(error);
      }
    },
    count: () => {
      const found = database();
      return found === undefined ? 0 : entryCount(found);
    },
  };
}

export function entryCount(database: Database<never, string> | Database): number {
  return (database.getStats() as { entryCount: number }).entryCount;
}

export function databaseOf<Value>(table: Table<Value> | LazyDatabase<Value>): Database<Value, string> {
  const database = (table as LazyDatabase<Value>).database();
  if (database === undefined) throw new Error('a table is to be opened before the write that uses it');
  return database;
}
