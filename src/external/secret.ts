import { inspect } from 'node:util';

/** What logs, errors and JSON show of a secret. */
const shown = '[secret]';

/** A key, or a URL that contains one. Only `reveal` returns it; printing, logging and copying do not. */
export interface Secret {
  reveal(): string;
}

export function createSecret(value: string): Secret {
  return Object.freeze({
    reveal: () => value,
    toString: () => shown,
    toJSON: () => shown,
    [inspect.custom]: () => shown,
  });
}
