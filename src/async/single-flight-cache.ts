import type { Clock } from '../runtime.ts';

export interface SingleFlightCacheOptions<Answer> {
  /** For how many milliseconds an answer is kept; 0 keeps it not at all. */
  readonly ttlMs: (answer: Answer) => number;
  /** Without its key, which is counted beside it. */
  readonly bytesOf: (answer: Answer) => number;
  /** All answers and keys together; the ones that were not used for the longest time go first. */
  readonly maxBytes: number;
  readonly now: Clock;
}

export interface SingleFlightCache<Answer> {
  /** What is kept under a key; asks nobody. */
  peek(key: string): Answer | undefined;
  /**
   * What is kept, else the answer of a request that is under way for the same key, else that of a new one. A caller
   * who gives up rejects with its signal's reason and leaves the others waiting; the request's own signal is aborted
   * when nobody waits any longer.
   */
  get(key: string, load: (signal: AbortSignal) => Promise<Answer>, signal?: AbortSignal): Promise<Answer>;
}

interface Entry<Answer> {
  readonly answer: Answer;
  readonly bytes: number;
  readonly until: number;
}

interface Flight<Answer> {
  readonly answer: Promise<Answer>;
  readonly request: AbortController;
  waiting: number;
}

/** Keeps answers for a while, within a bound on their size, and lets equal questions share one request. */
export function createSingleFlightCache<Answer>(
  options: SingleFlightCacheOptions<Answer>,
): SingleFlightCache<Answer> {
  const { ttlMs, bytesOf, maxBytes, now } = options;
  /** In the order of their last use. */
  const kept = new Map<string, Entry<Answer>>();
  const flights = new Map<string, Flight<Answer>>();
  let bytes = 0;

  const forget = (key: string): void => {
    bytes -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
  };

  const keep = (key: string, answer: Answer): void => {
    const ms = ttlMs(answer);
    const size = bytesOf(answer) + 2 * key.length;
    forget(key);
    if (ms <= 0 || size > maxBytes) return;
    kept.set(key, { answer, bytes: size, until: now() + ms });
    bytes += size;
    for (const oldest of kept.keys()) {
      if (bytes <= maxBytes) break;
      forget(oldest);
    }
  };

  const peek = (key: string): Answer | undefined => {
    const found = kept.get(key);
    if (found === undefined) return undefined;
    if (found.until <= now()) {
      forget(key);
      return undefined;
    }
    kept.delete(key);
    kept.set(key, found);
    return found.answer;
  };

  const start = (key: string, load: (signal: AbortSignal) => Promise<Answer>): Flight<Answer> => {
    const request = new AbortController();
    const answered = async (): Promise<Answer> => {
      try {
        const answer = await load(request.signal);
        if (!request.signal.aborted) keep(key, answer);
        return answer;
      } finally {
        if (flights.get(key) === flight) flights.delete(key);
      }
    };
    // `answered` must not end before `flight` is there.
    const flight: Flight<Answer> = { answer: Promise.resolve().then(answered), request, waiting: 0 };
    flights.set(key, flight);
    return flight;
  };

  const wait = (key: string, flight: Flight<Answer>, signal: AbortSignal | undefined): Promise<Answer> => {
    flight.waiting += 1;
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        flight.waiting -= 1;
        if (flight.waiting === 0) {
          if (flights.get(key) === flight) flights.delete(key);
          flight.request.abort(signal?.reason);
        }
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      flight.answer.then(resolve, reject).finally(() => signal?.removeEventListener('abort', giveUp));
    });
  };

  return {
    peek,
    async get(key, load, signal) {
      signal?.throwIfAborted();
      const known = peek(key);
      if (known !== undefined) return known;
      return wait(key, flights.get(key) ?? start(key, load), signal);
    },
  };
}
