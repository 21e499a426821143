import { expect, onTestFinished, test } from 'vitest';
import { type Environment, openEnvironment } from '../../../src/store/lmdb/environment.ts';
import { createLazyDatabase } from '../../../src/store/tables.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

function openCounted(folder = temporaryFolder()) {
  const environment = openEnvironment(folder);
  onTestFinished(() => environment.root.close());
  const counted = { finds: 0, counts: 0 };
  const find: Environment['find'] = (...args) => {
    counted.finds++;
    return environment.find(...args);
  };
  const databaseCount: Environment['databaseCount'] = () => {
    counted.counts++;
    return environment.databaseCount();
  };
  return { environment: { ...environment, find, databaseCount }, counted };
}

test('a database that does not exist is looked for once, and again when there is a new one', async () => {
  const folder = temporaryFolder();
  const reader = openCounted(folder);
  const owls = createLazyDatabase<string>(reader.environment, 'owls');
  for (let time = 0; time < 5; time++) expect(owls.database()).toBeUndefined();
  expect(reader.counted).toEqual({ finds: 1, counts: 1 });

  const { environment } = reader;
  await environment.root.transaction(() => environment.make('herons'));
  const look = () => {
    expect(owls.database()).toBeUndefined();
    return reader.counted.finds;
  };
  await expect.poll(look).toBe(2);

  const own = await environment.root.transaction(() => environment.make<string, string>('owls'));
  await own.put('barn', 'white');
  await expect.poll(() => owls.database()?.get('barn')).toBe('white');
});
