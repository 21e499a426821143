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
  /** The last failure; null again after an answer. */
  failure: z.object({ at: z.number(), message: z.string(), retryAt: z.number().nullable() }).nullable(),
  remaining: z.number().nullable(),
  /** What the last answer could not search; absent in files of older versions. */
  missing: z.string().nullish(),
});

/** The result of a provider's last request; times are epoch milliseconds. Contains no key, URL or query. */
export type ProviderHealth = z.infer<typeof Entry>;

export type ProviderHealthByName = Readonly<Partial<Record<ProviderName, ProviderHealth>>>;

/** Reads what a process has recorded; empty for a missing or unreadable file. */
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
  /** The current entry of each provider that this process has queried. */
  entries(): ProviderHealthByName;
  /** Resolves once all is on disk. */
  close(): Promise<void>;
}

export interface ProviderHealthOptions {
  readonly file: string;
  readonly now: Clock;
  readonly log: Log;
}

/** A killed process loses at most the entries of this time. */
const writeEveryMs = 2000;

/**
 * Records the health of each provider in a file, so that `gleaner status` can show it from another process. The file is
 * written at most every two seconds. Several processes over one folder merge their entries; the newest one wins.
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
    const recorded = readProviderHealth(file);
    for (const [name, entry] of entries) {
      if ((recorded[name]?.askedAt ?? 0) > entry.askedAt) entries.delete(name);
    }
    const merged = { ...recorded, ...Object.fromEntries(entries) };
    const draft = `${file}.${process.pid}`;
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(draft, JSON.stringify(merged), { mode: 0o600 });
    await rename(draft, file);
  };

  const writeNow = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(write).catch((error: NodeJS.ErrnoException) => {
      log.warn({ code: error.code }, 'the health of the search providers could not be stored');
    });
    return writing;
  };

  return {
    observe: (provider, state, answer) => {
      const name = provider as ProviderName;
      const previous = entries.get(name);
      const at = now();
      const failed = state.kind === 'failed' ? state : undefined;
      const wait = failed?.retryAfterSeconds;
      entries.set(name, {
        askedAt: at,
        answeredAt: failed ? (previous?.answeredAt ?? null) : at,
        tookMs: 'tookMs' in state && !failed ? state.tookMs : (previous?.tookMs ?? null),
        failure: failed
          ? { at, message: failed.message, retryAt: wait === undefined ? null : at + wait * 1000 }
          : null,
        remaining: answer?.quota?.remaining ?? previous?.remaining ?? null,
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
