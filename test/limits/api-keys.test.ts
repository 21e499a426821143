import { expect, test } from 'vitest';
import { type ApiKeyRecord, createApiKeys, makeApiKey } from '../../src/limits/api-keys.ts';

const noon = Date.UTC(2026, 0, 1, 12);

function keysWithClock() {
  const clock = { ms: noon };
  const records = new Map<string, ApiKeyRecord>();
  const keys = createApiKeys({ table: records, now: () => clock.ms });
  const issue = (fields: Partial<ApiKeyRecord> = {}) => {
    const { id, text, hash } = makeApiKey();
    const rate = { perMinute: 600, burst: 200 };
    records.set(id, {
      name: 'team',
      hash,
      rate,
      createdAt: noon,
      expiresAt: null,
      revokedAt: null,
      ...fields,
    });
    return { id, text };
  };
  return { clock, records, keys, issue };
}

test('a key is found by its text, and its text is not kept', () => {
  const { keys, records, issue } = keysWithClock();
  const { id, text } = issue();
  issue();
  expect(text).toMatch(/^gl_[0-9a-f]{12}_[0-9a-f]{40}$/);
  expect(keys.find(text)).toMatchObject({ kind: 'valid', key: { id, name: 'team' } });
  expect(JSON.stringify([...records])).not.toContain(text.slice(-40));
});

test('whatever is not the whole key is not known', () => {
  const { keys, issue } = keysWithClock();
  const { text } = issue();
  const other = issue().text;
  const wrong = [
    '',
    'gl_',
    text.slice(0, -1),
    `${text}0`,
    ` ${text}`,
    text.toUpperCase(),
    text.slice(0, -1) + (text.endsWith('0') ? '1' : '0'),
    other.slice(0, 15) + text.slice(15),
    makeApiKey().text,
  ];
  for (const each of wrong)
    expect(keys.find(each)).toEqual({ kind: 'refused', why: 'this API key is not known' });
});

test('a key ends when it expires or is revoked, at once', () => {
  const { clock, keys, records, issue } = keysWithClock();
  const { text } = issue({ expiresAt: noon + 1000 });
  expect(keys.find(text).kind).toBe('valid');
  clock.ms += 1000;
  expect(keys.find(text)).toEqual({
    kind: 'refused',
    why: 'this API key expired on 2026-01-01T12:00:01.000Z',
  });
  const second = issue();
  records.set(second.id, { ...(records.get(second.id) as ApiKeyRecord), revokedAt: noon });
  expect(keys.find(second.text)).toEqual({ kind: 'refused', why: 'this API key was revoked' });
});

test('only who has the whole key learns how it ended', () => {
  const { keys, issue } = keysWithClock();
  const { text } = issue({ revokedAt: noon });
  expect(keys.find(`${text.slice(0, 16)}${'0'.repeat(40)}`)).toEqual({
    kind: 'refused',
    why: 'this API key is not known',
  });
});
