import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { cached } from './cache.ts';
import { type EngineProcess, startEngine } from './engine-process.ts';
import type { Answered, Built, Opened } from './protocol.ts';
import type { BenchQuery } from './term-query.ts';

/** What was measured of one engine; `failed` says where it stopped. */
export interface Measured {
  readonly name: string;
  /** Where its index lies. */
  readonly folder: string;
  built?: Built;
  fileBytes?: number;
  opened?: Opened;
  residentBytes?: number;
  /** Of each query, of all of them. */
  totals?: readonly number[];
  /** CPU microseconds of each query, one list a pass. */
  passes: number[][];
  failed?: string;
}

export interface BuildOptions {
  readonly pages: number;
  readonly termsFile: string;
}

export interface SearchOptions {
  readonly queries: readonly BenchQuery[];
  readonly passes: number;
}

const sliceSize = 25;
/** So long one pass of one engine may take; one that takes longer gets a single pass after the first. */
const longestPassMs = 60_000;

/** Builds each engine's index in a process that ends with it. */
export async function buildAll(
  names: readonly string[],
  { pages, termsFile }: BuildOptions,
): Promise<Measured[]> {
  const all: Measured[] = [];
  for (const name of names) {
    if (name === 'gleaner-as-typed') {
      const folder = cached('indexes', `gleaner-${pages}`);
      all.push({ name, folder, fileBytes: folderBytes(folder), passes: [] });
      continue;
    }
    const folder = emptyFolder(`${name}-${pages}`);
    const measured: Measured = { name, folder, passes: [] };
    all.push(measured);
    const engine = startEngine(name);
    try {
      const { build } = await engine.ask<{ build: Built }>({ do: 'build', folder, pages, termsFile });
      measured.built = build;
      measured.fileBytes = folderBytes(folder);
      console.error(`${name}: built with ${build.cpuSeconds.toFixed(1)} s of CPU`);
    } catch (error) {
      measured.failed = `build: ${reason(error)}`;
      console.error(`${name}: ${measured.failed}`);
    } finally {
      engine.end();
    }
  }
  return all;
}

/**
 * Opens every engine in a fresh process and asks all of them in turn, a slice of the queries at a time, so that what
 * else the machine does hits all alike. The first pass warms up; after it memory is read.
 */
export async function searchAll(all: readonly Measured[], options: SearchOptions): Promise<void> {
  const running: { measured: Measured; engine: EngineProcess; passMs: number }[] = [];
  for (const measured of all) {
    if (measured.failed !== undefined) continue;
    const engine = startEngine(measured.name);
    const entry = { measured, engine, passMs: 0 };
    await guarded(entry, 'open', async () => {
      const { folder } = measured;
      const { openMs, openCpuMs } = await engine.ask<Opened>({ do: 'open', folder });
      measured.opened = { openMs, openCpuMs };
      running.push(entry);
    });
  }
  for (let pass = 0; pass <= options.passes; pass++) {
    const taking = running.filter(
      ({ measured, passMs }) => measured.failed === undefined && (pass < 2 || passMs < longestPassMs),
    );
    const answers = new Map(
      taking.map(({ measured }) => [measured, { totals: [] as number[], micros: [] as number[] }]),
    );
    for (let at = 0, turn = pass; at < options.queries.length; at += sliceSize, turn++) {
      const queries = options.queries.slice(at, at + sliceSize);
      for (let step = 0; step < taking.length; step++) {
        const entry = taking[(turn + step) % taking.length] as (typeof taking)[number];
        const answer = answers.get(entry.measured);
        await guarded(entry, 'search', async () => {
          const asked = askable(entry.measured.name, queries);
          const started = performance.now();
          const { totals, micros } = await entry.engine.ask<Answered>({ do: 'ask', queries: asked });
          entry.passMs += pass === 0 ? performance.now() - started : 0;
          for (const query of queries) {
            const at = asked.indexOf(query);
            answer?.totals.push(totals[at] ?? Number.NaN);
            answer?.micros.push(micros[at] ?? Number.NaN);
          }
        });
      }
    }
    for (const { measured, engine } of taking) {
      const answer = answers.get(measured);
      if (measured.failed !== undefined || !answer) continue;
      if (pass > 0) measured.passes.push(answer.micros);
      else {
        measured.totals = answer.totals;
        measured.residentBytes = engine.residentBytes();
      }
    }
    console.error(pass === 0 ? 'warmed up' : `pass ${pass} of ${options.passes}`);
  }
  for (const { engine } of running) engine.end();
}

async function guarded(
  { measured, engine }: { measured: Measured; engine: EngineProcess },
  step: string,
  work: () => Promise<void>,
): Promise<void> {
  if (measured.failed !== undefined) return;
  try {
    await work();
  } catch (error) {
    measured.failed = `${step}: ${reason(error)}`;
    console.error(`${measured.name}: ${measured.failed}`);
    engine.end();
  }
}

/** FlexSearch and Orama have no operators; they are asked the plain queries alone. */
function askable(name: string, queries: readonly BenchQuery[]): readonly BenchQuery[] {
  return name === 'flexsearch' || name === 'orama' ? queries.filter(({ plain }) => plain) : queries;
}

/** An empty folder for an index. */
export function emptyFolder(name: string): string {
  const folder = cached('indexes', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

export function folderBytes(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
