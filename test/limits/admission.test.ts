import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressBlock, unknownBlock } from '../../src/limits/address-block.ts';
import { type AdmissionControlOptions, createAdmissionControl } from '../../src/limits/admission.ts';
import type { ApiKey } from '../../src/limits/api-keys.ts';
import type { Client } from '../../src/limits/client-limits.ts';
import { createTokenBucket } from './token-bucket.ts';

const search = { perMinute: 60, burst: 20 };
const content = { perMinute: 120, burst: 40 };
const fallback = { perMinute: 10, burst: 5 };

function controlWithClock(options: Partial<AdmissionControlOptions> = {}) {
  const clock = { ms: 1000 };
  const laters: (() => void)[] = [];
  const control = createAdmissionControl({
    search,
    content,
    fallback,
    inFlight: 4,
    maxInFlight: 64,
    now: () => clock.ms,
    later: (callback) => void laters.push(callback),
    ...options,
  });
  /** Whether a request was admitted; it is finished at once. */
  const asks = (client: Client, routeClass: 'search' | 'content' = 'search'): boolean => {
    const admission = control.admit(client, routeClass);
    if (admission.kind === 'admitted') admission.release();
    return admission.kind === 'admitted';
  };
  const count = (client: Client, tries: number, routeClass: 'search' | 'content' = 'search'): number =>
    Array.from({ length: tries }, () => asks(client, routeClass)).filter(Boolean).length;
  const nextTurn = () => laters.shift()?.();
  return { control, clock, asks, count, nextTurn };
}

const from = (address: string): Client => ({
  kind: 'address',
  block: addressBlock(address) ?? unknownBlock,
});

function keyOf(id: string, rate = { perMinute: 600, burst: 100 }): Client & { key: ApiKey } {
  const key = { id, name: id, hash: '', rate, createdAt: 0, expiresAt: null, revokedAt: null };
  return { kind: 'key', key };
}

describe('the rate of a client', () => {
  test('is a burst, then one token for each interval, to the millisecond', () => {
    const { clock, count, asks } = controlWithClock();
    const client = from('192.0.2.1');
    expect(count(client, 100)).toBe(20);
    clock.ms += 999;
    expect(asks(client)).toBe(false);
    clock.ms += 1;
    expect(count(client, 10)).toBe(1);
    clock.ms += 7_500;
    expect(count(client, 10)).toBe(7);
    clock.ms += 500;
    expect(count(client, 10)).toBe(1);
    clock.ms += 3_600_000;
    expect(count(client, 100)).toBe(20);
  });

  test('over an hour of asking all the time is the burst and the sustained rate, to the token', () => {
    const { clock, count } = controlWithClock();
    const client = from('192.0.2.1');
    let admitted = 0;
    for (let step = 0; step <= 36_000; step++) {
      admitted += count(client, 2);
      clock.ms += 100;
    }
    expect(admitted).toBe(20 + 3600);
  });

  test('pays for a dear request at once, and waits for all that it costs', () => {
    const { control, clock, count } = controlWithClock();
    const client = from('192.0.2.1');
    const asksFor = (tokens: number) => {
      const admission = control.admit(client, 'search', tokens);
      if (admission.kind === 'admitted') admission.release();
      return admission.kind === 'limited' ? admission.retryAfterSeconds : admission.kind;
    };
    expect(asksFor(8)).toBe('admitted');
    expect(asksFor(8)).toBe('admitted');
    expect(asksFor(8)).toBe(4);
    expect(count(client, 10)).toBe(4);
    clock.ms += 7_999;
    expect(asksFor(8)).toBeCloseTo(0.001, 6);
    clock.ms += 1;
    expect(asksFor(8)).toBe('admitted');
  });

  test('lets through what costs more than its burst once it is full, and is empty then', () => {
    const { control, clock, count } = controlWithClock({ search: { perMinute: 60, burst: 3 } });
    const client = from('192.0.2.1');
    expect(count(client, 1)).toBe(1);
    expect(control.admit(client, 'search', 8)).toMatchObject({ kind: 'limited', retryAfterSeconds: 1 });
    clock.ms += 1000;
    expect(control.admit(client, 'search', 8)).toMatchObject({ kind: 'admitted' });
    expect(count(client, 1)).toBe(0);
    clock.ms += 1000;
    expect(count(client, 5)).toBe(1);
  });

  test('is counted for each class of route apart', () => {
    const { count } = controlWithClock();
    const client = from('192.0.2.1');
    expect(count(client, 100)).toBe(20);
    expect(count(client, 100, 'content')).toBe(40);
  });

  test('is counted for each client apart, an IPv6 network of 64 bits being one', () => {
    const { count } = controlWithClock();
    expect(count(from('192.0.2.1'), 100)).toBe(20);
    expect(count(from('192.0.2.2'), 100)).toBe(20);
    expect(count(from('2001:db8:1:2::1'), 15)).toBe(15);
    expect(count(from('2001:db8:1:2:ffff:ffff:ffff:ffff'), 100)).toBe(5);
    expect(count(from('2001:db8:1:3::1'), 100)).toBe(20);
    expect(count(from('::ffff:192.0.2.1'), 1)).toBe(0);
  });

  test('says how long to wait, and whoever waits so long is admitted', () => {
    const { control, clock, count, asks } = controlWithClock();
    const client = from('192.0.2.1');
    count(client, 20);
    clock.ms += 250;
    expect(control.admit(client, 'search')).toEqual({
      kind: 'limited',
      why: 'rate',
      retryAfterSeconds: 0.75,
    });
    clock.ms += 750;
    expect(asks(client)).toBe(true);
  });

  test('can be off', () => {
    const { count } = controlWithClock({ search: 'off' });
    expect(count(from('192.0.2.1'), 10_000)).toBe(10_000);
  });

  test('is that of a plain token bucket, whenever it is asked', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 4000 }), { maxLength: 200 });
    const rates = fc.record({
      perMinute: fc.integer({ min: 1, max: 1000 }),
      burst: fc.integer({ min: 1, max: 30 }),
    });
    fc.assert(
      fc.property(steps, rates, (pauses, rate) => {
        const { clock, asks } = controlWithClock({ search: rate });
        const bucket = createTokenBucket({
          capacity: rate.burst,
          perSecond: rate.perMinute / 60,
          now: () => clock.ms,
        });
        for (const pause of pauses) {
          clock.ms += pause;
          expect(asks(from('192.0.2.1'))).toBe(bucket.tryTake() === 0);
        }
      }),
    );
  });
});

describe('what is in flight', () => {
  test('is limited for each client, without costing it a token', () => {
    const { control, count } = controlWithClock();
    const client = from('192.0.2.1');
    const admitted = Array.from({ length: 4 }, () => control.admit(client, 'search'));
    expect(control.admit(client, 'content')).toEqual({
      kind: 'limited',
      why: 'in_flight',
      retryAfterSeconds: 1,
    });
    expect(control.admit(from('192.0.2.2'), 'search').kind).toBe('admitted');
    for (const one of admitted) {
      if (one.kind !== 'admitted') throw new Error('not admitted');
      one.release();
      one.release();
    }
    expect(count(client, 100)).toBe(16);
    expect(count(client, 100, 'content')).toBe(40);
  });

  test('is limited for all together: more is turned away before it costs anybody a token', async () => {
    const { control, nextTurn, count } = controlWithClock({ maxInFlight: 2 });
    const started: string[] = [];
    const ask = (name: string, address: string) => {
      const admission = control.admit(from(address), 'search');
      if (admission.kind !== 'admitted') throw new Error(admission.kind);
      return admission.run(async () => void started.push(name)).finally(admission.release);
    };
    const first = ask('first', '192.0.2.1');
    const second = ask('second', '192.0.2.2');
    expect(control.admit(from('192.0.2.3'), 'search')).toEqual({ kind: 'overloaded', retryAfterSeconds: 2 });
    expect(started).toEqual([]);
    nextTurn();
    await first;
    expect(started).toEqual(['first']);
    nextTurn();
    await second;
    expect(started).toEqual(['first', 'second']);
    expect(control.stats()).toMatchObject({ inFlight: 0, waiting: 0 });
    expect(count(from('192.0.2.3'), 100)).toBe(20);
  });

  test('is one less after work that failed', async () => {
    const { control, nextTurn } = controlWithClock({ maxInFlight: 1 });
    const admission = control.admit(from('192.0.2.1'), 'search');
    if (admission.kind !== 'admitted') throw new Error(admission.kind);
    const failed = expect(admission.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    nextTurn();
    await failed;
    admission.release();
    expect(control.admit(from('192.0.2.1'), 'search').kind).toBe('admitted');
  });
});

describe('asking others', () => {
  const mayAsk = (control: ReturnType<typeof createAdmissionControl>, client: Client): boolean => {
    const admission = control.admit(client, 'search');
    if (admission.kind !== 'admitted') throw new Error(admission.kind);
    admission.release();
    return admission.mayAskExternal();
  };

  test('has a budget of its own for each client; past it the answer is local', () => {
    const { control, clock } = controlWithClock();
    const client = from('192.0.2.1');
    expect(Array.from({ length: 8 }, () => mayAsk(control, client))).toEqual([
      ...Array<boolean>(5).fill(true),
      ...Array<boolean>(3).fill(false),
    ]);
    expect(mayAsk(control, from('192.0.2.2'))).toBe(true);
    clock.ms += 6000;
    expect([mayAsk(control, client), mayAsk(control, client)]).toEqual([true, false]);
  });

  test('goes by the rate of a dedicated key', () => {
    const { control } = controlWithClock();
    const key = keyOf('0123456789ab', { perMinute: 600, burst: 100 });
    expect(Array.from({ length: 30 }, () => mayAsk(control, key)).filter(Boolean)).toHaveLength(25);
  });
});

describe('a dedicated key', () => {
  test('has one bucket for all that it asks, whatever the address, and is told what is left', () => {
    const { control, clock, count } = controlWithClock();
    const key = keyOf('0123456789ab', { perMinute: 600, burst: 100 });
    expect(control.quota(key)).toEqual({ limit: 100, remaining: 100, secondsUntilFull: 0 });
    expect(count(key, 30)).toBe(30);
    expect(count(key, 30, 'content')).toBe(30);
    expect(control.quota(key)).toEqual({ limit: 100, remaining: 40, secondsUntilFull: 6 });
    expect(count(key, 100)).toBe(40);
    clock.ms += 150;
    expect(control.quota(key)).toEqual({ limit: 100, remaining: 1, secondsUntilFull: 9.85 });
    expect(count(keyOf('ba9876543210'), 200)).toBe(100);
  });

  test('may have more in flight than an address', () => {
    const { control } = controlWithClock();
    const key = keyOf('0123456789ab');
    const kinds = Array.from({ length: 17 }, () => control.admit(key, 'search').kind);
    expect(kinds.filter((kind) => kind === 'admitted')).toHaveLength(16);
  });

  test('the public tier is not told what is left', () => {
    expect(controlWithClock().control.quota(from('192.0.2.1'))).toBeUndefined();
  });
});

test('clients whose buckets are full again are forgotten', () => {
  const { control, clock, count } = controlWithClock();
  const address = (number: number) => from(`10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`);
  for (let number = 0; number < 20_000; number++) count(address(number), 1);
  expect(control.stats().clients.search).toBe(20_000);
  for (let pause = 0; pause < 40; pause++) {
    clock.ms += 1000;
    for (let number = 0; number < 10; number++) count(from('192.0.2.1'), 1);
  }
  expect(control.stats().clients.search).toBe(1);
});
