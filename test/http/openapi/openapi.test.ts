import { expect, test } from 'vitest';
import { ContentRecord } from '../../../src/contract/content.ts';
import { type ErrorCode, errorTable } from '../../../src/contract/errors.ts';
import { Ready } from '../../../src/contract/health.ts';
import {
  OpenWebUiDocuments,
  OpenWebUiQuery,
  OpenWebUiResults,
  OpenWebUiUrls,
} from '../../../src/contract/open-webui.ts';
import { Problem } from '../../../src/contract/problem.ts';
import { SearchParams, SearchResponse } from '../../../src/contract/search.ts';
import { SearxngParams, SearxngResponse } from '../../../src/contract/searxng.ts';
import { StatusReport } from '../../../src/contract/status-report.ts';
import { Suggestions } from '../../../src/contract/suggestions.ts';
import { openApiDocument } from '../../../src/http/openapi/openapi.ts';
import { operationsOf } from '../../../src/http/openapi/openapi-document.ts';
import { documentedCodes, documentedErrors } from '../../../src/http/openapi/openapi-errors.ts';
import {
  contentExample,
  readyExample,
  searchExample,
  searchResponseExample,
  statusExample,
} from '../../../src/http/openapi/openapi-examples.ts';
import type { JsonSchema } from '../../../src/http/openapi/openapi-schemas.ts';
import {
  documentsExample,
  linksExample,
  loadExample,
  openWebUiExample,
  searxngExample,
  searxngResponseExample,
  suggestionsExample,
} from '../../../src/http/openapi/other-examples.ts';
import { apiPage } from '../../../src/http/pages/api-page.ts';
import { llmsTxt } from '../../../src/http/pages/llms-txt.ts';

const document = openApiDocument('1.2.3');
const docs = [
  { path: '/docs', title: 'Readme <1>', html: '', markdown: '# Readme <1>', markdownPath: '/README.md' },
];

test('every example is what its schema says', () => {
  expect(SearchParams.strict().parse(searchExample)).toEqual(searchExample);
  expect(SearchResponse.strict().parse(searchResponseExample)).toEqual(searchResponseExample);
  expect(ContentRecord.strict().parse(contentExample)).toEqual(contentExample);
  expect(Ready.strict().parse(readyExample)).toEqual(readyExample);
  expect(StatusReport.strict().parse(statusExample)).toEqual(statusExample);
  expect(SearxngParams.strict().parse(searxngExample)).toEqual(searxngExample);
  expect(SearxngResponse.strict().parse(searxngResponseExample)).toEqual(searxngResponseExample);
  expect(Suggestions.parse(suggestionsExample)).toEqual(suggestionsExample);
  expect(OpenWebUiQuery.strict().parse(openWebUiExample)).toEqual(openWebUiExample);
  expect(OpenWebUiResults.parse(linksExample)).toEqual(linksExample);
  expect(OpenWebUiUrls.strict().parse(loadExample)).toEqual(loadExample);
  expect(OpenWebUiDocuments.parse(documentsExample)).toEqual(documentsExample);
  for (const { status, example } of documentedErrors) {
    expect(Problem.strict().parse(example)).toEqual({ ...example, status });
  }
});

test('every refusal of the contract is documented, but those that only MCP and commands can meet', () => {
  const codes = Object.keys(errorTable) as ErrorCode[];
  expect(codes.filter((code) => !documentedCodes.has(code))).toEqual(['storage_full']);
});

test('every reference leads somewhere', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref);
  expect(references.length).toBeGreaterThan(20);
  for (const reference of references) {
    const parts = (reference as string).replace('#/', '').split('/');
    expect(
      parts.reduce((node: unknown, part) => (node as Record<string, unknown>)?.[part], document),
    ).toBeDefined();
  }
});

test('every component is used', () => {
  const text = JSON.stringify(document);
  for (const kind of ['schemas', 'responses', 'headers'] as const) {
    const unused = Object.keys(document.components[kind]).filter(
      (name) => !text.includes(`#/components/${kind}/${name}"`),
    );
    expect(unused).toEqual([]);
  }
});

test('the page for readers has every operation, parameter, status and field, and asks nothing of another site', () => {
  const page = apiPage(document, docs);
  for (const { method, path, parameters, requestBody, responses } of operationsOf(document)) {
    expect(page).toContain(`${method} ${path}`);
    for (const { name } of parameters) expect(page).toContain(`<code>${name}</code>`);
    for (const status of Object.keys(responses)) expect(page).toContain(`>${status}<`);
    const body = requestBody?.content['application/json'].schema.$ref.split('/').at(-1);
    if (body !== undefined) expect(page).toContain(`The body: <a href="#${body}">`);
  }
  for (const { properties, items = {} } of Object.values(document.components.schemas)) {
    const fields = Object.keys(properties ?? (items as JsonSchema).properties ?? {});
    for (const field of fields) expect(page).toContain(`<code>${field}</code>`);
  }
  expect(page).toContain('<li><a href="/docs">Readme &lt;1&gt;</a></li>');
  expect(page).not.toMatch(
    /<script>|src="(?!\/)|https?:\/\/(?!127\.0\.0\.1|docs\.example\.org|elsewhere\.example)/,
  );
});

test('llms.txt begins as the format asks and leads to everything else', () => {
  const text = llmsTxt(document, docs);
  expect(text).toMatch(/^# Gleaner\n\n> \S/);
  expect(text).toContain('- [Readme <1>](/README.md)');
  for (const { method, path } of operationsOf(document)) expect(text).toContain(`${method} ${path}`);
});

test('readers of each form learn of MCP, which has no path in the document', () => {
  const of = (text: string) => text.split('\n').find((line) => line.includes('/mcp'));
  const told = document.info.description.split('\n\n').at(-1) as string;
  for (const said of ['MCP', '`/mcp`', 'JSON-RPC', 'isError', '403']) expect(told).toContain(said);
  expect(of(llmsTxt(document, docs))).toBe(told);
  expect(of(apiPage(document, docs))).toBe(`<p>${told.replace(/`([^`]+)`/g, '<code>$1</code>')}</p>`);
});
