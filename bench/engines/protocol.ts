import type { BenchQuery } from './term-query.ts';

/** What a process with an engine in it is asked; tantivy_process.py speaks the same. */
export type Request =
  | { readonly do: 'build'; readonly folder: string; readonly pages: number; readonly termsFile: string }
  | { readonly do: 'open'; readonly folder: string }
  | { readonly do: 'ask'; readonly queries: readonly BenchQuery[] };

export interface Built {
  /** CPU of all threads in the engine's calls alone; reading the corpus does not count. */
  readonly cpuSeconds: number;
}

export interface Opened {
  readonly openMs: number;
  readonly openCpuMs: number;
}

export interface Answered {
  readonly totals: readonly number[];
  /** CPU of all threads for each query, microseconds. */
  readonly micros: readonly number[];
}

export type Reply = { readonly build: Built } | Opened | Answered | { readonly failed: string };
