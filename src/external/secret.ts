import { inspect } from 'node:util';

/** What a log, an error or JSON gets to see of a secret. */
const shown = '[secret]';

/** A key or an address that holds one. Only `reveal` gives it away; printing, logging and copying do not. */
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
