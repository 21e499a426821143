import { readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { Clock, Log } from '../runtime.ts';
import { type ProviderName, providerNames } from './provider-facts.ts';
import type { ObserveProvider } from './provider-pool.ts';

const Entry = z.object({
  askedAt: z.number(),
  answeredAt: z.number().nullable(),
  tookMs: z.number().nullable(),
  /** The last one, until an answer comes. */
  failure: z.object({ at: z.number(), message: z.string(), retryAt: z.number().nullable() }).nullable(),
  remaining: z.number().nullable(),
  /** What the last answer could not look at; absent in what older versions wrote down. */
  missing: z.string().nullish(),
});

/** How a provider fared when it was last asked; times are epoch milliseconds. Holds no key, URL or question. */
export type ProviderHealth = z.infer<typeof Entry>;

export type ProviderHealthByName = Readonly<Partial<Record<ProviderName, ProviderHealth>>>;

/** What another process wrote down; empty when there is nothing, or nothing that can be read. */
export function readProviderHealth(file: string): ProviderHealthByName {
  try {
    const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const entries = z.record(z.string(), z.unknown()).parse(content);
    return Object.fromEntries(
      providerNames.flatMap((name) => {
        const entry = Entry.safeParse(entries[name]);
        return entry.success ? [[name, entry.data]] : [];
      }),
    );
  } catch {
    return {};
  }
}

export interface ProviderHealthRecorder {
  readonly observe: ObserveProvider;
  /** Now, per provider, as far as this process knows. */
  entries(): ProviderHealthByName;
  /** Resolves once all is on disk. */
  close(): Promise<void>;
}

export interface ProviderHealthOptions {
  readonly file: string;
  readonly now: Clock;
  readonly log: Log;
}

/** How much may be lost when the process is killed: it is a note, no promise. */
const writeEveryMs = 2000;

/**
 * Notes how each provider fares, so that `gleaner status` can tell it from another process. Written at most every two
 * seconds; of several processes over one folder, each adds what it knows to what is there.
 */
export function createProviderHealthRecorder({
  file,
  now,
  log,
}: ProviderHealthOptions): ProviderHealthRecorder {
  const entries = new Map<ProviderName, ProviderHealth>();
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  const write = async (): Promise<void> => {
    const known = readProviderHealth(file);
    for (const [name, entry] of entries) {
      if ((known[name]?.askedAt ?? 0) > entry.askedAt) entries.delete(name);
    }
    const merged = { ...known, ...Object.fromEntries(entries) };
    const draft = `${file}.${process.pid}`;
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(draft, JSON.stringify(merged), { mode: 0o600 });
    await rename(draft, file);
  };

  const writeNow = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(write).catch((error: NodeJS.ErrnoException) => {
      log.warn({ code: error.code }, 'how the search providers fare could not be written down');
    });
    return writing;
  };

  return {
    observe: (provider, state, answer) => {
      const name = provider as ProviderName;
      const before = entries.get(name);
      const at = now();
      const failed = state.kind === 'failed' ? state : undefined;
      const wait = failed?.retryAfterSeconds;
      entries.set(name, {
        askedAt: at,
        answeredAt: failed ? (before?.answeredAt ?? null) : at,
        tookMs: 'tookMs' in state && !failed ? state.tookMs : (before?.tookMs ?? null),
        failure: failed
          ? { at, message: failed.message, retryAt: wait === undefined ? null : at + wait * 1000 }
          : null,
        remaining: answer?.quota?.remaining ?? before?.remaining ?? null,
        ...(state.kind === 'partial' && { missing: state.message }),
      });
      timer ??= setTimeout(writeNow, writeEveryMs).unref();
    },
    entries: () => Object.fromEntries(entries),
    close: async () => {
      if (timer !== undefined) await writeNow();
      await writing;
    },
  };
}
