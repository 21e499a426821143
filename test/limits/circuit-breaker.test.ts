import { expect, test } from 'vitest';
import { createCircuitBreaker } from '../../src/limits/circuit-breaker.ts';

function open() {
  const clock = { ms: 1_000_000 };
  const breaker = createCircuitBreaker({
    failureThreshold: 3,
    initialRestSeconds: 10,
    maxRestSeconds: 35,
    now: () => clock.ms,
  });
  const pass = () => breaker.tryAcquire();
  const fail = (times: number) => {
    for (let i = 0; i < times; i++) {
      pass();
      breaker.failed();
    }
  };
  const wait = (seconds: number) => {
    clock.ms += seconds * 1000;
  };
  return { breaker, pass, fail, wait };
}

test('it opens after so many failures in a row, and an answer in between starts the count anew', () => {
  const { breaker, pass, fail } = open();
  fail(2);
  breaker.succeeded();
  fail(2);
  expect(pass()).toEqual({ kind: 'closed' });
  breaker.failed();
  expect(pass()).toEqual({ kind: 'open', seconds: 10 });
});

test('after the rest exactly one request may try, and its success closes it', () => {
  const { breaker, pass, fail, wait } = open();
  fail(3);
  wait(10);
  expect(pass()).toEqual({ kind: 'probe' });
  expect(pass().kind).toBe('open');
  breaker.succeeded();
  expect(pass()).toEqual({ kind: 'closed' });
  expect(pass()).toEqual({ kind: 'closed' });
});

test('every probe that fails doubles the rest, up to the longest', () => {
  const { breaker, pass, fail, wait } = open();
  fail(3);
  for (const seconds of [20, 35, 35]) {
    wait(35);
    expect(pass()).toEqual({ kind: 'probe' });
    breaker.failed();
    expect(pass()).toEqual({ kind: 'open', seconds });
  }
});

test('a probe that was given up leaves its place to another', () => {
  const { breaker, pass, fail, wait } = open();
  fail(3);
  wait(10);
  expect(pass()).toEqual({ kind: 'probe' });
  breaker.abandoned();
  expect(pass()).toEqual({ kind: 'probe' });
});

test('a pause that was asked for ends by itself, without a probe', () => {
  const { breaker, pass, wait } = open();
  breaker.rest(7);
  expect(pass()).toEqual({ kind: 'open', seconds: 7 });
  breaker.rest(2);
  expect(pass()).toEqual({ kind: 'open', seconds: 7 });
  wait(7);
  expect(pass()).toEqual({ kind: 'closed' });
  expect(pass()).toEqual({ kind: 'closed' });
});

test('a failure that names a time opens it at once, for that time', () => {
  const { breaker, pass, wait } = open();
  pass();
  breaker.failed(300);
  expect(pass()).toEqual({ kind: 'open', seconds: 300 });
  wait(300);
  expect(pass().kind).toBe('closed');
});

test('no pause is longer than a day, whatever was asked for and wherever the clock goes', () => {
  const { breaker, pass, wait } = open();
  breaker.rest(1e12);
  expect(pass()).toEqual({ kind: 'open', seconds: 86_400 });
  wait(-100_000);
  expect(pass()).toEqual({ kind: 'open', seconds: 86_400 });
});
