import { describe, expect, onTestFinished, test } from 'vitest';
import { createSchedule } from '../../src/crawl/schedule.ts';
import type { FollowedVisit, Visit } from '../../src/crawl/visit.ts';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const hour = 3_600_000;
const day = 24 * hour;
const start = Date.parse('2026-03-01T12:00:00Z');

function openSchedule() {
  const store = openPageStore(temporaryFolder());
  onTestFinished(() => store.close());
  const schedule = createSchedule(store);
  const note = (url: string, visit: object, now: number, formerUrls: string[] = []) =>
    store.write((writer) =>
      schedule.note(writer, { url, visit: visit as Visit, formerUrls } as FollowedVisit, now),
    );
  /** Notes the visit and tells after how many hours the page is due. */
  const hoursAfter = async (visit: object, now: number, url = 'https://a.example/') => {
    await note(url, visit, now);
    return ((schedule.next()?.dueAt ?? Number.NaN) - now) / hour;
  };
  return { schedule, note, hoursAfter };
}

const changed = (lastModified?: string) => ({
  kind: 'page',
  record: { crawledAt: 0, contentHash: '', lastModified },
});
const unchanged = { kind: 'unchanged', record: { crawledAt: 0, contentHash: '' } };
const broken = { kind: 'later', seconds: 5, why: 'status 500', wholeHost: false, answered: true };

describe('a first visit', () => {
  test.each([
    [undefined, 72],
    ['nonsense', 72],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 24],
    ['Thu, 01 Jan 2026 12:00:00 GMT', 5.9 * 24],
    ['Mon, 01 Mar 2010 12:00:00 GMT', 30 * 24],
  ])('of a page last modified %s plans the next one by its age', async (lastModified, hours) => {
    expect(await openSchedule().hoursAfter(changed(lastModified), start)).toBeCloseTo(hours, 6);
  });
});

describe('later visits', () => {
  test('of a page that never changes come after twice the time, up to sixty days', async () => {
    const { hoursAfter } = openSchedule();
    let now = start;
    const days: number[] = [];
    for (let visit = 0; visit < 7; visit++) {
      const hours = await hoursAfter(visit === 0 ? changed() : unchanged, now);
      days.push(hours / 24);
      now += hours * hour;
    }
    expect(days).toEqual([3, 6, 12, 24, 48, 60, 60]);
  });

  test('of a page that always changes come after half the time, down to six hours', async () => {
    const { hoursAfter } = openSchedule();
    let now = start;
    const hours: number[] = [];
    for (let visit = 0; visit < 6; visit++) {
      hours.push(await hoursAfter(changed(), now));
      now += (hours.at(-1) ?? 0) * hour;
    }
    expect(hours).toEqual([72, 36, 18, 9, 6, 6]);
  });

  test('within the hour prove nothing about a page that has not changed', async () => {
    const { hoursAfter } = openSchedule();
    await hoursAfter(changed(), start);
    expect(await hoursAfter(unchanged, start + hour / 2)).toBe(72);
  });

  test('without an answer are tried again after six hours, then less and less often, and keep what was known', async () => {
    const { hoursAfter } = openSchedule();
    await hoursAfter(changed(), start);
    const hours: number[] = [];
    for (let visit = 0; visit < 6; visit++) hours.push(await hoursAfter(broken, start));
    expect(hours).toEqual([6, 12, 24, 48, 96, 168]);
    expect(await hoursAfter({ ...broken, seconds: 30 * 86_400 }, start)).toBe(30 * 24);
    expect(await hoursAfter(unchanged, start + 3 * day)).toBe(6 * 24);
  });
});

describe('a page that leaves the index', () => {
  test.each([
    ['gone', { kind: 'gone' }],
    ['not to be indexed', { kind: 'never', why: 'noindex (meta robots)', links: [] }],
  ])('because it is %s is not planned any more', async (_, visit) => {
    const { note, schedule } = openSchedule();
    await note('https://a.example/', changed(), start);
    await note('https://a.example/', visit, start);
    expect(schedule.next()).toBeUndefined();
  });

  test('because it has moved for good is not planned any more, its new place is', async () => {
    const { note, schedule } = openSchedule();
    await note('https://a.example/old', changed(), start);
    await note('https://a.example/new', changed(), start, ['https://a.example/old']);
    expect([...schedule.due(start + 3 * day)].map(({ url }) => url)).toEqual(['https://a.example/new']);
  });
});

test('what is due comes in the order of its time, and a page that was never found is not planned', async () => {
  const { note, schedule } = openSchedule();
  await note('https://a.example/2', changed(), start + 2);
  await note('https://b.example/1', changed(), start + 1);
  await note('https://a.example/3', changed(), start + 3);
  await note('https://a.example/never', broken, start);
  const due = (now: number) => [...schedule.due(now)].map(({ url }) => new URL(url).pathname);
  expect(due(start + 3 * day)).toEqual([]);
  expect(due(start + 3 * day + 2)).toEqual(['/1', '/2']);
  expect(due(start + 30 * day)).toEqual(['/1', '/2', '/3']);
  expect(schedule.next('a.example')?.url).toBe('https://a.example/2');
});
