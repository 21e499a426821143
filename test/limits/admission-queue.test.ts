import { expect, test } from 'vitest';
import { createAdmissionQueue } from '../../src/limits/admission-queue.ts';

function turnsByHand(maxInFlight: number, maxWaitMs: number) {
  const clock = { ms: 0 };
  const laters: (() => void)[] = [];
  const turns = createAdmissionQueue({
    maxInFlight,
    maxWaitMs,
    now: () => clock.ms,
    later: (callback) => void laters.push(callback),
  });
  return { turns, clock, nextTurn: () => laters.shift()?.(), planned: () => laters.length };
}

test('work begins in the order of arrival, one in each turn of the event loop', async () => {
  const { turns, nextTurn, planned } = turnsByHand(10, 50);
  const order: number[] = [];
  for (const number of [1, 2, 3]) void turns.enter().then(() => order.push(number));
  expect(planned()).toBe(1);
  nextTurn();
  await Promise.resolve();
  expect(order).toEqual([1]);
  expect(turns.stats()).toMatchObject({ inFlight: 1, waiting: 2 });
  nextTurn();
  nextTurn();
  await Promise.resolve();
  expect(order).toEqual([1, 2, 3]);
  nextTurn();
  expect(planned()).toBe(0);
});

test('is full when so much is in flight, and not when that is done', async () => {
  const { turns, nextTurn } = turnsByHand(1, 50);
  const first = turns.enter();
  expect(turns.isFull()).toBe(true);
  nextTurn();
  const done = await first;
  expect(turns.isFull()).toBe(true);
  done();
  expect(turns.isFull()).toBe(false);
});

test('is full as soon as the next one would wait too long, by how long turns take', () => {
  const { turns, clock, nextTurn } = turnsByHand(1000, 50);
  for (let number = 0; number < 40; number++) void turns.enter();
  for (let number = 0; number < 30; number++) {
    nextTurn();
    clock.ms += 20;
  }
  expect(turns.stats().serviceMs).toBeGreaterThan(15);
  expect(turns.stats().waiting).toBe(10);
  expect(turns.isFull()).toBe(true);
  for (let number = 0; number < 8; number++) nextTurn();
  expect(turns.isFull()).toBe(false);
});

test('a pause in which nobody waited is no long turn', async () => {
  const { turns, clock, nextTurn } = turnsByHand(10, 50);
  const { serviceMs } = turns.stats();
  for (let number = 0; number < 5; number++) {
    void turns.enter();
    nextTurn();
    nextTurn();
    clock.ms += 60_000;
  }
  expect(turns.stats().serviceMs).toBeLessThanOrEqual(serviceMs);
});

test('one very long turn does not keep the others out for ever', () => {
  const { turns, clock, nextTurn } = turnsByHand(1000, 50);
  void turns.enter();
  nextTurn();
  clock.ms += 60_000;
  nextTurn();
  expect(turns.stats().serviceMs).toBeGreaterThan(1000);
  let refused = 0;
  for (let number = 0; number < 200; number++) {
    for (let more = 0; more < 3; more++) {
      if (turns.isFull()) refused += 1;
      else void turns.enter();
    }
    nextTurn();
    nextTurn();
  }
  expect(refused).toBeGreaterThan(0);
  expect(turns.stats().serviceMs).toBeLessThan(50);
});

test('a few may wait, however long turns take', () => {
  const { turns, clock, nextTurn } = turnsByHand(1000, 50);
  void turns.enter();
  nextTurn();
  clock.ms += 60_000;
  nextTurn();
  let waiting = 0;
  for (; !turns.isFull(); waiting++) void turns.enter();
  expect(waiting).toBe(4);
});

test('a queue that stands is kept shorter than a burst, until it was gone', () => {
  const { turns, clock, nextTurn } = turnsByHand(1000, 50);
  const arrive = (): number => {
    let letIn = 0;
    for (; letIn < 100 && !turns.isFull(); letIn++) void turns.enter();
    return letIn;
  };
  const oneTurn = (): void => {
    nextTurn();
    clock.ms += 10;
  };
  arrive();
  for (let turn = 0; turn < 100; turn++) {
    oneTurn();
    arrive();
  }
  expect(turns.stats().serviceMs).toBeGreaterThan(9);
  expect(turns.stats().waiting).toBeLessThanOrEqual(3);
  for (let turn = 0; turn < 40; turn++) {
    oneTurn();
    oneTurn();
    oneTurn();
    void turns.enter();
  }
  expect(turns.stats().waiting + arrive()).toBeGreaterThanOrEqual(5);
});
