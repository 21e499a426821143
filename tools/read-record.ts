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
  const address = withScheme(url || (id !== undefined && isAddress(id) ? id : ''));
  if (address) {
    options.onProgress?.('Visiting the page');
    return engine.read(address, options);
  }
  if (id) return engine.content(id, options);
  const message = 'is missing: give the id of a local result, or the url of an external one';
  throw invalidParameters([{ parameter: 'id', message }]);
}

/** `https:` or `docs.example.com/page`. An id has neither a dot nor a colon. */
function isAddress(id: string): boolean {
  return id.includes('://') || /^[^\s/.]+(?:\.[^\s/.]+)+(?:[:/?#]|$)/.test(id);
}

/** The address as it was probably meant: people and models leave `https://` out. */
function withScheme(address: string): string {
  if (address === '' || /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(address)) return address;
  return `https://${address.replace(/^\/\//, '')}`;
}
