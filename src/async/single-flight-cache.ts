import type { Clock } from '../runtime.ts';
import { abortable } from './abortable.ts';

export interface SingleFlightCacheOptions<Value> {
  /** How long a value is cached, in milliseconds; 0 for not at all. */
  readonly ttlMs: (value: Value) => number;
  /** Size of a value without its key, which is counted separately. */
  readonly bytesOf: (value: Value) => number;
  /** Maximum bytes of all values and keys; the least recently used ones are evicted first. */
  readonly maxBytes: number;
  readonly now: Clock;
}

export interface SingleFlightCache<Value> {
  /** The cached value of a key; never starts a request. */
  peek(key: string): Value | undefined;
  /**
   * The cached value of a key, or the result of the request in flight for it, or of a new request. A caller that aborts
   * rejects with its signal's reason, and the others keep waiting. When the last waiting caller aborts, the signal that
   * `load` was given is aborted as well.
   */
  get(key: string, load: (signal: AbortSignal) => Promise<Value>, signal?: AbortSignal): Promise<Value>;
}

interface Entry<Value> {
  readonly value: Value;
  readonly bytes: number;
  readonly expiresAt: number;
}

interface Flight<Value> {
  readonly value: Promise<Value>;
  readonly request: AbortController;
  waiters: number;
}

/** Caches values for a limited time, within a limit on their size. Concurrent requests for one key share one flight. */
export function createSingleFlightCache<Value>(
  options: SingleFlightCacheOptions<Value>,
): SingleFlightCache<Value> {
  const { ttlMs, bytesOf, maxBytes, now } = options;
  /** Least recently used first. */
  const entries = new Map<string, Entry<Value>>();
  const flights = new Map<string, Flight<Value>>();
  let bytes = 0;

  const remove = (key: string): void => {
    bytes -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  };

  const store = (key: string, value: Value): void => {
    const ms = ttlMs(value);
    const size = bytesOf(value) + 2 * key.length;
    remove(key);
    if (ms <= 0 || size > maxBytes) return;
    entries.set(key, { value, bytes: size, expiresAt: now() + ms });
    bytes += size;
    for (const oldest of entries.keys()) {
      if (bytes <= maxBytes) break;
      remove(oldest);
    }
  };

  const peek = (key: string): Value | undefined => {
    const entry = entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.expiresAt <= now()) {
      remove(key);
      return undefined;
    }
    entries.delete(key);
    entries.set(key, entry);
    return entry.value;
  };

  const start = (key: string, load: (signal: AbortSignal) => Promise<Value>): Flight<Value> => {
    const request = new AbortController();
    const loadAndStore = async (): Promise<Value> => {
      try {
        const value = await load(request.signal);
        if (!request.signal.aborted) store(key, value);
        return value;
      } finally {
        if (flights.get(key) === flight) flights.delete(key);
      }
    };
    // `loadAndStore` must not end before `flight` is initialized.
    const flight: Flight<Value> = { value: Promise.resolve().then(loadAndStore), request, waiters: 0 };
    flights.set(key, flight);
    return flight;
  };

  const join = async (key: string, flight: Flight<Value>, signal?: AbortSignal): Promise<Value> => {
    flight.waiters += 1;
    try {
      return await abortable(flight.value, signal);
    } finally {
      flight.waiters -= 1;
      // A flight that has landed is in the map no longer.
      if (flight.waiters === 0 && flights.get(key) === flight) {
        flights.delete(key);
        flight.request.abort(signal?.reason);
      }
    }
  };

  return {
    peek,
    async get(key, load, signal) {
      signal?.throwIfAborted();
      return peek(key) ?? join(key, flights.get(key) ?? start(key, load), signal);
    },
  };
}
