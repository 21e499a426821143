import { readLines } from './cache.ts';
import { type PageTerms, readPages } from './corpus-files.ts';
import type { Builder, Peer } from './peer.ts';
import type { Built } from './protocol.ts';

const batchSize = 500;

/** Fills an engine's index, and counts the CPU that the engine takes for it. */
export async function createBuilding(
  peer: Peer,
  { folder, pages, termsFile }: { folder: string; pages: number; termsFile: string },
): Promise<Built> {
  return peer.build.from === 'pages'
    ? fill(await peer.build.create(folder), readPages(pages))
    : fill(await peer.build.create(folder), readLines<PageTerms>(termsFile, pages));
}

/** Gives a builder all inputs, in batches; the CPU is that of the builder's calls. */
export async function fill<Input>(
  builder: Builder<Input>,
  inputs: AsyncIterable<Input> | Iterable<Input>,
): Promise<Built> {
  let micros = 0;
  const counted = async (work: () => void | Promise<void>): Promise<void> => {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    micros += user + system;
  };
  let batch: Input[] = [];
  for await (const input of inputs) {
    batch.push(input);
    if (batch.length < batchSize) continue;
    const full = batch;
    batch = [];
    await counted(() => builder.add(full));
  }
  await counted(() => builder.add(batch));
  await counted(() => builder.finish());
  return { cpuSeconds: micros / 1e6 };
}
