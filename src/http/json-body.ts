import type { z } from 'zod';
import { invalidParameters, ServiceError } from '../contract/errors.ts';
import { createParameterReader } from '../contract/parameters.ts';

/** Maximum bytes of a body: twenty addresses, or the longest query, with room. */
const maxJsonBytes = 128 * 1024;

/**
 * Creates the reader of JSON bodies of one schema. It throws `invalid_parameters` for what is no JSON object and for each
 * wrong member, `too_large` for a body of more than 128 KiB, of which nothing further is read.
 */
export function createBodyReader<Schema extends z.ZodObject>(
  schema: Schema,
): (request: Request) => Promise<z.output<Schema>> {
  const read = createParameterReader(schema);
  return async (request) => {
    const body = parseObject(await readText(request));
    if (body === undefined)
      throw invalidParameters([{ parameter: 'body', message: 'must be a JSON object' }]);
    return read(body);
  };
}

async function readText(request: Request): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxJsonBytes)
      throw new ServiceError('too_large', `the body must have at most ${maxJsonBytes} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
