import { createReadStream, mkdirSync } from 'node:fs';
import { appendFile, rename, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createGunzip, gzipSync } from 'node:zlib';

/** The folder that benches may fill: downloads, corpora, peers, indexes. Git does not look into it. */
export const cacheFolder = fileURLToPath(new URL('../../../bench/.cache/', import.meta.url));

/** The path of something in the cache; its folder exists afterwards. */
export function cached(...parts: string[]): string {
  mkdirSync(`${cacheFolder}${parts.slice(0, -1).join('/')}`, { recursive: true });
  return `${cacheFolder}${parts.join('/')}`;
}

const chunkChars = 4_000_000;

/** Writes values as gzipped lines of JSON; the file has its name only once it is whole. */
export async function writeLines(
  path: string,
  values: AsyncIterable<unknown> | Iterable<unknown>,
): Promise<void> {
  const unfinished = `${path}.unfinished`;
  await rm(unfinished, { force: true });
  let chunk = '';
  for await (const value of values) {
    chunk += `${JSON.stringify(value)}\n`;
    if (chunk.length < chunkChars) continue;
    await appendFile(unfinished, gzipSync(chunk, { level: 1 }));
    chunk = '';
  }
  await appendFile(unfinished, gzipSync(chunk));
  await rename(unfinished, path);
}

/** Reads what `writeLines` wrote, at most `limit` values. */
export async function* readLines<T>(path: string, limit = Number.POSITIVE_INFINITY): AsyncGenerator<T> {
  const input = createReadStream(path);
  const lines = createInterface({ input: input.pipe(createGunzip()), crlfDelay: Number.POSITIVE_INFINITY });
  let count = 0;
  try {
    for await (const line of lines) {
      if (count++ >= limit) break;
      yield JSON.parse(line) as T;
    }
  } finally {
    lines.close();
    input.destroy();
  }
}
