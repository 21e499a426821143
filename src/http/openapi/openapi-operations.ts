import { ContentParams } from '../../contract/content.ts';
import { HttpSearchParams } from '../../contract/search.ts';
import { searchTokensRule } from '../../engine/search-tokens.ts';
import type { Operation } from './openapi-document.ts';
import {
  contentExample,
  readyExample,
  searchExample,
  searchResponseExample,
  statusExample,
} from './openapi-examples.ts';
import { headerReferences, onEveryResponse } from './openapi-responses.ts';
import { queryParameters } from './openapi-schemas.ts';
import {
  answerResponse,
  errorReferences,
  freshResponse,
  notModified,
  withoutKey,
} from './operation-parts.ts';

const results = answerResponse('SearchResponse', 'The results, the best first.', searchResponseExample);
const page = answerResponse('ContentRecord', 'The page.', contentExample);

export const search: Operation = {
  operationId: 'search',
  summary: 'Search',
  description:
    'All words of `q` must match; operators inside `q` say more. When the own index holds too little, results of other services follow the local ones: their `source` is `external` and their `id` empty.' +
    `\n\n${searchTokensRule}`,
  tags: ['search'],
  security: withoutKey,
  parameters: queryParameters(HttpSearchParams, searchExample),
  responses: {
    200: {
      ...results,
      headers: {
        ...results.headers,
        ...headerReferences({ 'Gleaner-External': 'External', 'Gleaner-Ignored': 'Ignored' }),
      },
      links: {
        content: {
          operationId: 'content',
          parameters: { id: '$response.body#/results/0/id' },
          description: 'The full text of a local result.',
        },
      },
    },
    304: notModified,
    ...errorReferences(400, 401, 403, 405, 408, 413, 414, 417, 429, 431, 500, 503),
  },
};

export const content: Operation = {
  operationId: 'content',
  summary: 'Full text of a page',
  description:
    'The text of one local search result, with author and times for a citation; plain, or as Markdown.',
  tags: ['search'],
  security: withoutKey,
  parameters: [
    {
      name: 'id',
      in: 'path',
      required: true,
      description: 'The id of a search result whose source is local.',
      schema: { type: 'string', minLength: 1 },
      example: contentExample.id,
    },
    ...queryParameters(ContentParams, {}),
  ],
  responses: {
    200: {
      ...page,
      headers: { ...page.headers, ...headerReferences({ 'Gleaner-Ignored': 'Ignored' }) },
    },
    304: notModified,
    ...errorReferences(400, 401, 403, 404, 405, 408, 413, 414, 417, 429, 431, 500, 503),
  },
};

export const healthz: Operation = {
  operationId: 'healthz',
  summary: 'Is the process alive?',
  description: 'Answers as long as the process does.',
  tags: ['operation'],
  security: [],
  parameters: [],
  responses: {
    200: freshResponse(answerResponse('Health', 'It is.', { status: 'ok' })),
    ...errorReferences(403, 405, 408, 413, 414, 417, 431, 500),
  },
};

export const readyz: Operation = {
  operationId: 'readyz',
  summary: 'Should it be sent requests?',
  description:
    'Answers 200 once the index is open and up to date, until the process receives a signal to stop.',
  tags: ['operation'],
  security: [],
  parameters: [],
  responses: {
    200: freshResponse(answerResponse('Ready', 'It should.', readyExample)),
    ...errorReferences(403, 405, 408, 413, 414, 417, 431, 500, 503),
  },
};

export const metrics: Operation = {
  operationId: 'metrics',
  summary: 'Numbers for Prometheus',
  description:
    'Requests, latencies, limits and the process, in the text format of Prometheus; 404 for clients that may not read it.',
  tags: ['operation'],
  security: [],
  parameters: [],
  responses: {
    200: {
      description: 'The numbers.',
      headers: onEveryResponse,
      content: { 'text/plain': { schema: { type: 'string' }, example: 'process_cpu_seconds_total 1.5\n' } },
    },
    ...errorReferences(403, 404, 405, 408, 413, 414, 417, 431, 500),
  },
};

export const serviceStatus: Operation = {
  operationId: 'status',
  summary: 'The state of the service and its pages',
  description:
    'Pages, hosts with their visits and failures, other services, limits, memory; 404 for clients that may not read it. `/status` shows the same to people.',
  tags: ['operation'],
  security: [],
  parameters: [],
  responses: {
    200: freshResponse(answerResponse('StatusReport', 'The state.', statusExample)),
    ...errorReferences(403, 404, 405, 408, 413, 414, 417, 431, 500),
  },
};
