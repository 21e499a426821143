import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ProcessMemory } from '../process-memory.ts';
import { cached } from './cache.ts';
import { startEngine } from './engine-process.ts';
import type { Built, Opened } from './protocol.ts';

/** What was measured of one engine; `failed` says where it stopped. */
export interface Measured {
  readonly name: string;
  /** Where its index lies. */
  readonly folder: string;
  built?: Built;
  fileBytes?: number;
  opened?: Opened;
  memory?: ProcessMemory;
  /** Of each query, of all of them. */
  totals?: readonly number[];
  /** CPU microseconds of each query, one list a pass. */
  passes: number[][];
  failed?: string;
}

export interface BuildOptions {
  readonly pages: number;
  readonly termsFile: string;
  /** Whether a peer's index of an earlier run over the same terms will do, with the figures of its building. */
  readonly reuse: boolean;
}

/** Builds each engine's index in a process that ends with it. */
export async function buildAll(names: readonly string[], options: BuildOptions): Promise<Measured[]> {
  const { pages, termsFile } = options;
  const all: Measured[] = [];
  for (const name of names) {
    if (name === 'gleaner-as-typed') {
      const folder = cached('indexes', `gleaner-${pages}`);
      all.push({ name, folder, fileBytes: folderBytes(folder), passes: [] });
      continue;
    }
    const kept = options.reuse && name !== 'gleaner' ? keptIndex(name, options) : undefined;
    if (kept) {
      all.push({ name, ...kept, fileBytes: folderBytes(kept.folder), passes: [] });
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
      writeFileSync(`${folder}.json`, JSON.stringify({ termsFile: basename(termsFile), built: build }));
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

function keptIndex(
  name: string,
  { pages, termsFile }: BuildOptions,
): { folder: string; built: Built } | undefined {
  const folder = cached('indexes', `${name}-${pages}`);
  if (!existsSync(`${folder}.json`)) return undefined;
  const note = JSON.parse(readFileSync(`${folder}.json`, 'utf8')) as { termsFile: string; built: Built };
  return note.termsFile === basename(termsFile) ? { folder, built: note.built } : undefined;
}

/** An empty folder for an index. */
export function emptyFolder(name: string): string {
  const folder = cached('indexes', name);
  rmSync(`${folder}.json`, { force: true });
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

export function folderBytes(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

export function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
