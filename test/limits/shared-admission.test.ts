import { expect, test } from 'vitest';
import { addressBlock, unknownBlock } from '../../src/limits/address-block.ts';
import type { Admission } from '../../src/limits/admission.ts';
import type { Client } from '../../src/limits/client-limits.ts';
import { createSharedAdmission } from '../../src/limits/shared-admission.ts';
import { createSharedLimits, type LimitRequest } from '../../src/limits/shared-limits.ts';

const rates = {
  search: { perMinute: 1, burst: 20 },
  content: 'off',
  fallback: { perMinute: 1, burst: 2 },
} as const;

/** Two processes with one place for the limits; what goes between them is JSON. */
function twoProcesses(more: { readonly inFlight?: number; readonly maxInFlight?: number } = {}) {
  const options = { ...rates, inFlight: 1000, maxInFlight: 1000, now: () => 1000, ...more };
  const limits = createSharedLimits(options);
  const batches: (readonly LimitRequest[])[] = [];
  const open = () => {
    const session = limits.openSession();
    const ask = async (requests: readonly LimitRequest[]) => {
      batches.push(requests);
      return JSON.parse(JSON.stringify(session.answer(JSON.parse(JSON.stringify(requests)))));
    };
    return { session, admission: createSharedAdmission({ ask, maxInFlight: options.maxInFlight }) };
  };
  return { one: open(), other: open(), limits, batches };
}

const client: Client = { kind: 'address', block: addressBlock('192.0.2.1') ?? unknownBlock };

const kinds = (admissions: readonly Admission[], kind: string) =>
  admissions.filter((each) => each.kind === kind).length;

test('a bucket is one for both, and what is asked in one turn goes as one message', async () => {
  const { one, other, batches } = twoProcesses();
  const asks = Array.from({ length: 60 }, (_, number) =>
    (number % 2 === 0 ? one : other).admission.admit(client, 'search'),
  );
  const admissions = await Promise.all(asks);
  expect(kinds(admissions, 'admitted')).toBe(20);
  expect(kinds(admissions, 'limited')).toBe(40);
  expect(batches.map(({ length }) => length)).toEqual([30, 30]);
});

test('a request in flight in one process counts in the other, until it is released', async () => {
  const { one, other } = twoProcesses({ inFlight: 1 });
  const first = await one.admission.admit(client, 'content');
  expect(await other.admission.admit(client, 'content')).toMatchObject({ kind: 'limited', why: 'in_flight' });
  if (first.kind === 'admitted') first.release();
  await expect.poll(async () => (await other.admission.admit(client, 'content')).kind).toBe('admitted');
});

test('all requests in flight of a process that died are ended', async () => {
  const { one, other } = twoProcesses({ inFlight: 1, maxInFlight: 1 });
  expect((await one.admission.admit(client, 'content')).kind).toBe('admitted');
  one.session.close();
  expect((await other.admission.admit(client, 'content')).kind).toBe('admitted');
});

test('the maximum of all clients counts work in both, not answers that are being sent', async () => {
  const { one, other } = twoProcesses({ maxInFlight: 1 });
  const first = await one.admission.admit(client, 'content');
  expect((await other.admission.admit(client, 'content')).kind).toBe('overloaded');
  if (first.kind === 'admitted') await first.run(async () => {});
  await expect.poll(async () => (await other.admission.admit(client, 'content')).kind).toBe('admitted');
});

test('the budget for external results is one for both', async () => {
  const { one, other } = twoProcesses();
  const mayAsk = async ({ admission }: typeof one) => {
    const admitted = await admission.admit(client, 'search');
    return admitted.kind === 'admitted' && (await admitted.mayAskExternal());
  };
  expect([await mayAsk(one), await mayAsk(other), await mayAsk(one), await mayAsk(other)]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('the holder of a key gets its quota of both, and the hash of the key stays here', async () => {
  const { one, other, batches } = twoProcesses();
  const rate = { perMinute: 1, burst: 5 };
  const record = { name: 'a', hash: 'secret', rate, createdAt: 0, expiresAt: null, revokedAt: null };
  const holder: Client = { kind: 'key', key: Object.assign({ id: '0123456789ab' }, record) };
  await one.admission.admit(holder, 'search', 2);
  expect(await other.admission.quota(holder)).toMatchObject({ limit: 5, remaining: 3 });
  expect(JSON.stringify(batches)).not.toContain('secret');
});

test('without a reply a request is refused, and undone should it have been started', async () => {
  const sent: LimitRequest[] = [];
  const ask = async (requests: readonly LimitRequest[]) => {
    sent.push(...requests);
    throw new Error('no reply');
  };
  const admission = createSharedAdmission({ ask, maxInFlight: 10 });
  expect((await admission.admit(client, 'search')).kind).toBe('overloaded');
  await expect.poll(() => sent.map(({ kind }) => kind)).toEqual(['start', 'undo']);
});

test('a request whose reply came too late costs nothing', async () => {
  const { one, other } = twoProcesses({ inFlight: 1 });
  const start = {
    kind: 'start',
    id: 1,
    client,
    routeClass: 'search',
    tokens: 20,
    isOverloaded: false,
  } as const;
  expect(one.session.answer([start, { kind: 'undo', id: 1 }])).toEqual([null, null]);
  expect(other.session.answer([start])).toEqual([null]);
  expect(other.session.answer([{ ...start, id: 2 }])).toMatchObject([{ kind: 'limited', why: 'rate' }]);
});
