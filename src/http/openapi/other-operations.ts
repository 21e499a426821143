import { SearxngParams, searxngPageSize } from '../../contract/searxng.ts';
import { SuggestionParams } from '../../contract/suggestions.ts';
import type { ApiResponse, Operation } from './openapi-document.ts';
import { headerReferences } from './openapi-responses.ts';
import { type Parameter, queryParameters, type SchemaName, schemaReference } from './openapi-schemas.ts';
import {
  answerResponse,
  errorReferences,
  freshResponse,
  notModified,
  onCountedResponses,
  withoutKey,
} from './operation-parts.ts';
import {
  documentsExample,
  linksExample,
  loadExample,
  openWebUiExample,
  searxngExample,
  searxngResponseExample,
  suggestionsExample,
} from './other-examples.ts';

const external = headerReferences({ 'Gleaner-External': 'External' });
const searxngAnswer = answerResponse(
  'SearxngResponse',
  'The results, the best first.',
  searxngResponseExample,
);

export const searxng: Operation = {
  operationId: 'searxng',
  summary: 'Search, in the form of SearXNG',
  description: `With \`format=json\` it answers as SearXNG does, for programs that speak its form; without it, it is the search page for people, in HTML, of ten results a page. A page of the JSON form has ${searxngPageSize} results, and counts as a search of so many. \`/\` answers the same to \`format=json\`.`,
  tags: ['other forms'],
  security: withoutKey,
  parameters: searxngParameters(),
  responses: {
    200: {
      ...searxngAnswer,
      headers: { ...searxngAnswer.headers, ...external },
      content: {
        ...searxngAnswer.content,
        'text/html': { schema: { type: 'string' }, example: '<!doctype html>' },
      },
    },
    304: notModified,
    ...errorReferences(400, 401, 403, 405, 408, 413, 414, 417, 429, 431, 500, 503),
  },
};

export const suggestions: Operation = {
  operationId: 'suggestions',
  summary: 'Suggestions for a search box',
  description:
    'Titles of pages of the own index for what has been typed, in the form of OpenSearch suggestions; `/opensearch.xml` leads browsers here. No other service is asked. It counts as a content.',
  tags: ['other forms'],
  security: withoutKey,
  parameters: queryParameters(SuggestionParams, { q: suggestionsExample[0] }),
  responses: {
    200: answerResponse(
      'Suggestions',
      'What was typed, and suggestions.',
      suggestionsExample,
      'application/x-suggestions+json',
    ),
    304: notModified,
    ...errorReferences(400, 401, 403, 405, 408, 413, 414, 417, 429, 431, 500, 503),
  },
};

export const openWebUiSearch: Operation = {
  operationId: 'openWebUiSearch',
  summary: 'Search, as an external engine of Open WebUI',
  description:
    'The same search, in the form of the external web search engine of Open WebUI. Pages that lack words of `query` follow where there are fewer results than `count`. A key that is empty (`Authorization: Bearer`) counts as none.',
  tags: ['other forms'],
  security: withoutKey,
  parameters: [],
  requestBody: body('OpenWebUiQuery', openWebUiExample),
  responses: {
    200: uncached('OpenWebUiResults', 'The results, the best first.', linksExample, external),
    ...errorReferences(400, 401, 403, 405, 408, 413, 414, 417, 429, 431, 500, 503),
  },
};

export const openWebUiLoad: Operation = {
  operationId: 'openWebUiLoad',
  summary: 'Read pages, as an external web loader of Open WebUI',
  description:
    'The texts of pages by their addresses, in the form of the external web loader of Open WebUI. Pages are visited where `GLEANER_LEARN=1`, else those of the index are given. Pages that cannot be read are left out; where none can be, the answer is the error of the first. Each address counts as a content.',
  tags: ['other forms'],
  security: withoutKey,
  parameters: [],
  requestBody: body('OpenWebUiUrls', loadExample),
  responses: {
    200: uncached('OpenWebUiDocuments', 'The pages that could be read.', documentsExample),
    ...errorReferences(400, 401, 403, 404, 405, 408, 413, 414, 417, 422, 429, 431, 500, 503),
  },
};

/** Without `q`, or with an empty one, the page for people has the box alone; the JSON form needs it. */
function searxngParameters(): Parameter[] {
  return queryParameters(SearxngParams, searxngExample).map((parameter) => {
    if (parameter.name !== 'q') return parameter;
    const { minLength: _, ...schema } = parameter.schema;
    const description = `${parameter.description} Needed with \`format=json\`.`;
    return { ...parameter, required: false, allowEmptyValue: true, description, schema };
  });
}

function body(schema: SchemaName, example: unknown): NonNullable<Operation['requestBody']> {
  return {
    required: true,
    content: { 'application/json': { schema: schemaReference(schema), example } },
  };
}

/** An answer that no cache stores, to a request that counts. */
function uncached(
  schema: SchemaName,
  description: string,
  example: unknown,
  more: ApiResponse['headers'] = {},
): ApiResponse {
  const response = freshResponse(answerResponse(schema, description, example));
  return { ...response, headers: { ...response.headers, ...onCountedResponses, ...more } };
}
