import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { providerNames } from '../../src/external/provider-facts.ts';
import { ProviderError } from '../../src/external/search-provider.ts';
import { documented } from './documented.ts';
import { never, openProvider, request } from './provider-rig.ts';
import { openService } from './service.ts';

type Path = readonly (string | number)[];

/** Every place in a JSON value, the whole included. */
function places(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [path, ...entries.flatMap(([key, inner]) => places(inner, [...path, key]))];
}

function replaced(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by;
  if (Array.isArray(value)) return value.map((inner, at) => (at === key ? replaced(inner, rest, by) : inner));
  const object = value as Record<string, unknown>;
  return { ...object, [key]: replaced(object[key], rest, by) };
}

const oddText = fc.string({ unit: 'binary', maxLength: 30 });
const oddValue = fc.oneof(fc.jsonValue({ maxDepth: 2 }), oddText, fc.constant('<b>&#x110000;&#0;</b>\u202e'));

describe.each(providerNames)('%s', (name) => {
  test('whatever stands in one place of an answer, it costs what depends on it and nothing else', async () => {
    const { answer, expected } = documented[name];
    const service = await openService({});
    const provider = openProvider(name, service.origin, { key: 'a-key' });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places(answer)), oddValue, async (path, odd) => {
        service.behave({ body: JSON.stringify(replaced(answer, path, odd)) });
        const outcome = await provider.search(request('tokio'), never).catch((error: unknown) => error);
        const isInRow = path.some((key) => typeof key === 'number');
        if (outcome instanceof Error) {
          expect(outcome).toBeInstanceOf(ProviderError);
          expect(isInRow).toBe(false);
          return;
        }
        const { results } = outcome as Awaited<ReturnType<typeof provider.search>>;
        for (const { url, title, snippet, publishedAt } of results) {
          expect(new URL(url).protocol).toMatch(/^https?:$/);
          expect(`${title}${snippet}`).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u2029\u202e]/u);
          expect(publishedAt === null || Number.isInteger(publishedAt)).toBe(true);
        }
        if (!isInRow) return;
        const urls = results.map(({ url }) => url);
        expect(expected.filter(({ url }) => urls.includes(url)).length).toBeGreaterThanOrEqual(
          expected.length - 1,
        );
      }),
      { numRuns: 120 },
    );
  });
});
