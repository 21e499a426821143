import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { openPageStore } from '../../../src/store/lmdb-store.ts';
import { briefWriter } from '../../../src/store/writer/lock-per-write.ts';
import { examplePage } from '../../pages.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { startWriter } from '../other-writer.ts';

const a = examplePage({ url: 'https://a.example/' });

function openBrief(folder: string) {
  const store = openPageStore(folder);
  onTestFinished(() => store.close());
  return briefWriter(store);
}

test("the writer's place is free again after every write, failed ones included", async () => {
  const folder = temporaryFolder();
  const brief = openBrief(folder);
  await brief.write((writer) => writer.putPage(a));
  await expect(
    brief.write(() => {
      throw new Error('changed its mind');
    }),
  ).rejects.toThrow('changed its mind');
  // Another process, which would be refused while this one is the writer.
  await startWriter(folder).reaches(3);
  expect(brief.page(a.id)).toEqual(a);
});

test('a write that another process does not let in is refused after a moment, and goes through once that has ended', async () => {
  const folder = temporaryFolder();
  const { child, reaches } = startWriter(folder);
  await reaches(1);
  const brief = openBrief(folder);
  await expect(brief.write((writer) => writer.putPage(a))).rejects.toMatchObject({ code: 'unavailable' });
  const waiting = brief.write((writer) => writer.putPage(a));
  child.kill('SIGKILL');
  await once(child, 'close');
  await waiting;
  expect(brief.page(a.id)).toEqual(a);
});
