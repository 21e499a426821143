import type { Clock } from '../../runtime.ts';

export interface LiveValueOptions<Value> {
  /** Reads the value; throws an error that says what is wrong. */
  readonly read: () => Value;
  /** What changes whenever the value may have changed; without it the value is read at every look. */
  readonly version?: () => unknown;
  /** How often it is looked at, at most, in milliseconds. */
  readonly lookMs: number;
  /** What the value is in a warning, in the plural: "the rules". */
  readonly name: string;
  readonly now: Clock;
  readonly warn: (message: string) => void;
}

/**
 * A value that is read again while it is used, such as that of a file. Throws at first if it is wrong; later the value from
 * before stays, and `warn` is told once why.
 */
export function createLiveValue<Value>(options: LiveValueOptions<Value>): () => Value {
  const { read, version, lookMs, name, now, warn } = options;
  let seen = version?.();
  let value = read();
  let lookedAt = now();
  let told = '';

  const look = (): void => {
    lookedAt = now();
    const next = version?.();
    if (version !== undefined && next === seen) return;
    seen = next;
    try {
      value = read();
      told = '';
    } catch (error) {
      const { message } = error as Error;
      if (message !== told) warn(`${message}; ${name} from before stay`);
      told = message;
    }
  };

  return () => {
    if (now() - lookedAt >= lookMs) look();
    return value;
  };
}
