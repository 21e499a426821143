import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { ContentRecord } from '../../src/contract/content.ts';
import { Health, Ready } from '../../src/contract/health.ts';
import { OpenWebUiDocuments, OpenWebUiResults } from '../../src/contract/open-webui.ts';
import { Problem } from '../../src/contract/problem.ts';
import { HttpSearchResponse, SearchParams } from '../../src/contract/search.ts';
import { SearxngResponse } from '../../src/contract/searxng.ts';
import { StatusReport } from '../../src/contract/status-report.ts';
import { Suggestions } from '../../src/contract/suggestions.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { openApiDocument } from '../../src/http/openapi/openapi.ts';
import { operationsOf } from '../../src/http/openapi/openapi-document.ts';
import type { JsonSchema, Parameter } from '../../src/http/openapi/openapi-schemas.ts';
import { createRoutes } from '../../src/http/routes.ts';
import { silentLog } from '../../src/runtime.ts';
import { heronAlmanac, openLibrary } from '../tools/library.ts';

let engine: Engine;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ engine, close } = await openLibrary());
});
afterAll(() => close());

const operations = operationsOf(openApiDocument('1.2.3'));
const schemas: Record<string, z.ZodType> = {
  '/api/v1/search': HttpSearchResponse.strict(),
  '/api/v1/content/{id}': ContentRecord.strict(),
  '/search': SearxngResponse.strict(),
  '/suggest': Suggestions,
  '/openwebui/search': OpenWebUiResults,
  '/openwebui/load': OpenWebUiDocuments,
  '/healthz': Health.strict(),
  '/readyz': Ready.strict(),
  '/api/v1/status': StatusReport.strict(),
};

/** Values at the edges of what a schema allows, as text. */
function boundaries({ minimum, maximum, maxLength, enum: values, pattern }: JsonSchema): string[] {
  const numbers = [minimum, maximum].flatMap((edge) =>
    edge === undefined ? [] : [edge - 1, edge, edge + 1],
  );
  const lengths =
    maxLength === undefined ? [] : ['a', '数'].flatMap((c) => [c.repeat(maxLength), c.repeat(maxLength + 1)]);
  const words = pattern === undefined ? [] : ['en', 'zh-Hant-TW', 'english'];
  return [...numbers.map(String), ...lengths, ...((values as string[]) ?? []), ...words, ''];
}

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    '1e2',
    '0x10',
    '٣',
    '-0',
    ' 1',
    'null',
    '[]',
    '../..',
    '\0',
    '"(((',
    'site:',
    '-(a OR',
    '\u202e',
    '\ud800',
  ),
);

/** The raw text of one parameter in a URL: well encoded most of the time. */
function rawValue(schema: JsonSchema): fc.Arbitrary<string> {
  const encoded = fc.oneof(
    fc.constantFrom(...boundaries(schema)),
    fc.constantFrom('heron', 'owl', 'en', '5'),
    hostile,
  );
  return fc.oneof(
    { weight: 9, arbitrary: encoded.map((text) => encodeURIComponent(text.toWellFormed())) },
    { weight: 1, arbitrary: fc.constantFrom('%', '%zz', '%E0%A4%A', '%c3%28', '+', '&', '=') },
  );
}

interface Drawn {
  readonly name: string;
  readonly raw: string;
}

function parametersOf(parameters: readonly Parameter[], place: Parameter['in']): fc.Arbitrary<Drawn[]> {
  const some = parameters
    .filter((parameter) => parameter.in === place)
    .map(({ name, schema }) =>
      fc.array(
        rawValue(schema).map((raw) => ({ name, raw })),
        { maxLength: 2 },
      ),
    );
  return fc.tuple(...some).map((lists) => lists.flat());
}

/** Whether the search schema itself refuses what was drawn, each value decoded as a form does. */
function isRefused(drawn: readonly Drawn[]): boolean {
  const values: Record<string, string> = {};
  for (const { name, raw } of drawn) {
    if (name in values || /[&=]/.test(raw)) return false;
    try {
      values[name] = decodeURIComponent(raw.replaceAll('+', ' '));
    } catch {
      return true;
    }
  }
  return !SearchParams.safeParse(values).success;
}

/** A JSON body near what the service reads, or any text. */
const body = fc.oneof(
  fc
    .record(
      {
        query: fc.oneof(fc.constantFrom('heron', 'owl -heron', ''), hostile, fc.integer()),
        count: fc.oneof(fc.integer({ min: -1, max: 200 }), fc.constantFrom('3', 1.5, null)),
        urls: fc.oneof(
          fc.array(fc.oneof(fc.constantFrom(heronAlmanac.url, 'https://birds.example/'), hostile), {
            maxLength: 22,
          }),
          hostile,
        ),
      },
      { requiredKeys: [] },
    )
    .map((value) => JSON.stringify(value)),
  fc.json(),
  hostile,
);

describe.each(operations)('$method $path', ({ method, path, parameters, responses }) => {
  test('answers anything as it is documented', async () => {
    const routes = createRoutes({
      engine,
      log: { ...silentLog, error: (details) => expect.unreachable(JSON.stringify(details)) },
      version: '1.2.3',
      docs: [],
      readiness: () => ({ notReady: undefined, ...engine.status(), providers: {} }),
      origins: '*',
      logQueries: false,
    });
    const drawn = fc.record({
      inPath: rawValue({ type: 'string' }),
      inQuery: parametersOf(parameters, 'query'),
      sent: body,
    });
    await fc.assert(
      fc.asyncProperty(drawn, async ({ inPath, inQuery, sent }) => {
        const query = inQuery.map(({ name, raw }) => `${name}=${raw}`).join('&');
        const response = await routes.request(`${path.replace('{id}', inPath)}?${query}`, {
          method,
          ...(method === 'POST' && { body: sent.toWellFormed() }),
        });
        expect(Object.keys(responses)).toContain(String(response.status));
        if (response.headers.get('content-type')?.startsWith('text/html')) return;
        const schema = response.status === 200 ? schemas[path] : Problem.strict();
        schema?.parse(await response.json());
        if (path === '/api/v1/search' && isRefused(inQuery)) expect([400, 414]).toContain(response.status);
      }),
      { numRuns: 300 },
    );
  });
});
