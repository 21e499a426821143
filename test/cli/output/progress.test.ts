import { Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { expect, test } from 'vitest';
import { createProgress, createRate, type ProgressView } from '../../../src/cli/output/progress.ts';

test('the rate is that of the last hundred pages', () => {
  let now = 0;
  const perSecond = createRate(() => now);
  expect(perSecond()).toBe(0);
  now = 500;
  expect(perSecond()).toBe(2);
  for (let page = 0; page < 200; page++) {
    now += 10;
    perSecond();
  }
  now += 10;
  expect(perSecond()).toBe(100);
});

const state = {
  url: 'https://a.example/some/page',
  outcome: 'stored',
  stored: 3,
  unchanged: 4,
  removed: 0,
  refusedByRobots: 2,
  failed: 5,
  queued: 6,
  hosts: 2,
};

/** What a progress writes, on a terminal or elsewhere. */
function written(isTTY: boolean, use: (progress: ProgressView) => void): string {
  let text = '';
  const stream = new Writable({
    write(chunk, _, done) {
      text += chunk;
      done();
    },
  });
  use(createProgress(Object.assign(stream, { isTTY, columns: 200 }) as unknown as WriteStream, 100));
  return text;
}

test('a terminal gets a bar with pages, rate, queue, hosts and failures, and notes above it', () => {
  const text = written(true, (progress) => {
    progress.update(state);
    progress.note('One moment.');
    progress.update({ ...state, stored: 9, queued: 0 });
    progress.end();
    progress.end();
  });
  expect(text).toContain('7/13 pages  0/s, 6 queued, 2 hosts, 5 failed  /some/page');
  expect(text).toContain('One moment.\n');
  expect(text).toContain('13/13 pages');
});

test('elsewhere there are lines, few of them', () => {
  const text = written(false, (progress) => {
    for (let page = 0; page < 50; page++) progress.update(state);
    progress.pause({ host: 'a.example', why: 'status 429', seconds: 7 });
    progress.end();
  });
  const lines = text.trimEnd().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toBe(
    '3 stored, 4 unchanged, 2 refused by robots.txt, 5 failed, 6 queued on 2 hosts, 0/s: https://a.example/some/page',
  );
  expect(lines[1]).toMatch(/^a\.example is left alone for 7 s, until .*: status 429$/);
});

test.each([
  [0.4, '0/s, about 1 s left'],
  [59, '0/s, about 59 s left'],
  [1169, '0/s, about 19 min left'],
  [14_400, '0/s, about 4 h left'],
])('with %s seconds left a line says "%s"', (secondsLeft, words) => {
  const use = (progress: ProgressView) => {
    progress.update({ ...state, secondsLeft });
    progress.update({ ...state, secondsLeft });
    progress.end();
  };
  expect(written(false, use)).toContain(`${words}: https://`);
  expect(written(true, use)).toContain(words.replace('0/s, ', ''));
});
