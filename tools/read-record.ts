import { invalidParameters } from '../src/contract/errors.ts';
import type { Engine, ReadRecord } from '../src/engine/engine.ts';
import type { CallOptions } from './tool.ts';

/**
 * Reads a page by its id, or by its URL. Models pass a URL as id, and the empty id of an external result together with its
 * URL. Throws as `Engine.content` and `Engine.read`, and `invalid_parameters` when neither is given.
 */
export function readRecord(
  engine: Engine,
  { id, url }: { id: string | undefined; url: string | undefined },
  options: CallOptions,
): Promise<ReadRecord> {
  const address = url || (id?.includes('://') ? id : '');
  if (address) {
    options.onProgress?.('Visiting the page');
    return engine.read(address, options);
  }
  if (id) return engine.content(id, options);
  const message = 'is missing: give the id of a local result, or the url of an external one';
  throw invalidParameters([{ parameter: 'id', message }]);
}
