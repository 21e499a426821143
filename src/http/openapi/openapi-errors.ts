import { type ErrorCode, errorTable, invalidParameters, ServiceError } from '../../contract/errors.ts';
import type { Problem } from '../../contract/problem.ts';
import { problemDetails } from '../problem-details.ts';
import { rawHttpError } from '../raw-http-errors.ts';
import { bodyTooLarge, urlTooLong } from '../request-caps.ts';
import { unknownHostError } from '../security/host-check.ts';

/** An error that a client may get, with an example made by the code that sends it. */
export interface DocumentedError {
  readonly status: number;
  readonly title: string;
  /** When it is sent, in words. */
  readonly when: string;
  readonly example: Problem;
}

const serviceErrors: readonly (readonly [when: string, error: ServiceError])[] = [
  [
    'A parameter is missing or wrong; `errors` names all of them.',
    invalidParameters([
      { parameter: 'limit', message: 'must be an integer from 1 to 100' },
      { parameter: 'q', message: 'is required' },
    ]),
  ],
  [
    'The API key is unknown, revoked or expired, or not sent as one.',
    new ServiceError('unauthorized', 'this API key is not known: leave it out, or ask the operator for one'),
  ],
  ['The service is not known under the host name of the request.', unknownHostError(true)],
  [
    'No page has this id, or there is nothing at this address.',
    new ServiceError('not_found', 'no page has this id: use the id of a search result whose source is local'),
  ],
  [
    'Another method than those that `Allow` lists.',
    new ServiceError('method_not_allowed', 'POST is not possible here: use GET or HEAD'),
  ],
  ['The request announces a body that is too large.', bodyTooLarge()],
  ['The URL is too long.', urlTooLong()],
  [
    'More requests than the limit allows; `Retry-After` says how many seconds to wait.',
    new ServiceError('rate_limited', 'too many requests: wait 3 seconds', { retryAfterSeconds: 3 }),
  ],
  [
    'None of the pages may or can be read; only for addresses that are visited.',
    new ServiceError(
      'unreadable',
      'robots.txt of the site disallows this page: work with the title and snippet of the search result, or read another page',
    ),
  ],
  [
    'What is stored of the page is damaged: its checksum is not that of its bytes.',
    new ServiceError(
      'damaged',
      'the stored page 3m5rk0q1v7d2xw8n6c4ta9jzfg is damaged: its text is not what was stored; fetch it by its URL, or have "gleaner verify --repair" run',
    ),
  ],
  [
    'A fault of the service.',
    new ServiceError(
      'internal',
      'something went wrong on our side, and has been logged under this request id',
    ),
  ],
  [
    'The service starts, stops, or has too much to do; `Retry-After` says when to come back.',
    new ServiceError('unavailable', 'the service is stopping', { retryAfterSeconds: 5 }),
  ],
];

const connectionErrors: readonly (readonly [when: string, code: string])[] = [
  ['The request took too long to arrive.', 'ERR_HTTP_REQUEST_TIMEOUT'],
  ['Another `Expect` than `100-continue`.', 'expectation'],
  ['URL and headers together are too long.', 'HPE_HEADER_OVERFLOW'],
];

/** Every error of the HTTP API, by status. */
export const documentedErrors: readonly DocumentedError[] = [
  ...serviceErrors.map(([when, error]) => {
    const { status, title } = errorTable[error.code];
    const requestId = '0f8b6f0e-3f0a-4c55-9d0c-5a6d9c1f7e21';
    const more = error.code === 'internal' ? { request_id: requestId } : {};
    return { status, title, when, example: problemDetails(error, more) };
  }),
  ...connectionErrors.map(([when, code]) => {
    const example = JSON.parse(rawHttpError(code).body) as Problem;
    return { status: example.status, title: example.title, when, example };
  }),
].sort((one, other) => one.status - other.status);

/** The codes of `errorTable` that the HTTP API can answer with. */
export const documentedCodes: ReadonlySet<ErrorCode> = new Set(serviceErrors.map(([, { code }]) => code));
